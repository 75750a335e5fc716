import { beforeAll, describe, expect, test } from 'vitest'
import type { Legibility } from '#qr/scan-check/verdict.ts'
import type { QrCode } from '../../src/contract/codes.ts'
import { legibility } from '../../src/contract/pictures/scan-checks.ts'
import { BEHIND_PROXY } from '../support/crowd.ts'
import { oneEngine } from '../support/engines.ts'
import { metricOf } from '../support/metric.ts'
import { enrolPerson } from '../support/person.ts'
import { runTessera } from '../support/tessera.ts'

describe.each(oneEngine)('the scan check of a code on %s', (engine) => {
  const tessera = runTessera({ engine, environment: BEHIND_PROXY, checks: true })
  const owner = enrolPerson(tessera, 'unlimited')
  let code: QrCode
  beforeAll(async () => {
    code = await owner.code()
  })

  const check = async (query = '', { id } = code) =>
    legibility.strict().parse(await owner.ask<Legibility>(`/api/qr-codes/${id}/legibility${query}`))

  test('is of the look that the query says, and of the saved one for the rest', async () => {
    const dark = await owner.code({ foregroundColor: '#FFFFFF', backgroundColor: '#111827' })
    expect(await check('', dark)).toMatchObject({ verdict: 'risky', inverted: true })
    const query = '?fg=111827&bg=%23FFFFFF&style=rounded&ecc=Q&compact=true'
    expect(await check(query, dark)).toMatchObject({ inverted: false })
    expect(await check('?fg=eeeeee')).toMatchObject({ verdict: 'unreadable' })
    expect(await owner.ask(`/api/qr-codes/${dark.id}`)).toMatchObject({
      foregroundColor: '#FFFFFF',
    })
  })

  test('is made once for requests at the same time, and not again for the same look', async () => {
    const checks = () => metricOf(tessera, 'checks_total')
    const draft = await owner.draft()
    await check('?fg=123456', draft)
    const before = await checks()
    const looks = ['?fg=123456', '?fg=%23123456&style=classic', '?bg=fff&fg=123456&ecc=M']
    const answers = await Promise.all(looks.map((look) => check(look, draft)))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(await checks()).toBe(before)
  })
})
