import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import type { QrCode } from '../../src/contract/codes/codes.ts'
import { BEHIND_PROXY } from '../support/crowd.ts'
import { engines } from '../support/engines.ts'
import { leadsTo } from '../support/link.ts'
import { enrolPerson } from '../support/person.ts'
import { answer, routeRules } from '../support/route-rules.ts'
import { runTessera } from '../support/tessera.ts'

/** Every call with an id in its path, but for logos, whose ids have a form, and the page of a payment. */
const calls = Object.entries(routeRules).flatMap(([name, rule]) => {
  const hasId = rule.for === 'owners' && name.includes('/:id') && rule.of !== 'logo'
  return hasId && rule.code.endsWith('not_found') ? [[name, rule] as const] : []
})

const strange = [
  'x',
  '1',
  'null',
  '__proto__',
  "' or 1=1 --",
  '%E2%80%AE',
  '..%2F..',
  'draft',
  'x'.repeat(3_000),
]

/** PostgreSQL takes no text with a NUL. */
const nuls = ['%00', 'a%00b']

describe.each(engines)('codes of other accounts on %s', (engine) => {
  const tessera = runTessera({ engine, environment: BEHIND_PROXY })
  const owner = enrolPerson(tessera, 'professional')
  const intruder = enrolPerson(tessera, 'professional')
  let code: QrCode
  let binned: QrCode
  let draft: QrCode
  beforeAll(async () => {
    code = await owner.code({ vanityUrl: `own-${engine}` })
    binned = await owner.code()
    draft = await owner.draft()
    await owner.remove(binned.id)
  })

  test.each(calls)('%s answers an odd id as one that is missing', async (name, rule) => {
    const missing = await answer(intruder, name, rule, randomUUID())
    expect(missing.slice(0, 3)).toEqual([
      404,
      expect.stringContaining(rule.code),
      'application/json; charset=utf-8',
    ])
    const others = [code.id, code.id.toUpperCase(), binned.id, draft.id, ...strange]
    const ids = rule.of.endsWith('code') ? [...others, ...nuls] : nuls
    const answers = ids.map(async (id) => [id, ...(await answer(intruder, name, rule, id))])
    expect(await Promise.all(answers)).toEqual(ids.map((id) => [id, ...missing]))
  })

  test('the owner’s codes are unchanged', async () => {
    expect(await owner.ask('/api/qr-codes')).toEqual([code])
    expect(await leadsTo(tessera, code.shortCode)).toBe(code.url)
    expect((await owner.call(`/api/qr-codes/${draft.id}`)).status).toBe(200)
    const restored = await owner.call(`/api/qr-codes/${binned.id}/restore`, { method: 'POST' })
    expect(restored.status).toBe(200)
  })

  test('an id is the same in capitals', async () => {
    const id = code.id.toUpperCase()
    const own = ['', '/generate', '/download-zip'].map((path) => `/api/qr-codes/${id}${path}`)
    for (const path of [...own, `/api/analytics/qr-code/${id}`]) {
      expect([path, (await owner.call(path)).status]).toEqual([path, 200])
    }
  })
})
