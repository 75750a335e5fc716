import { beforeEach, describe, expect, test } from 'vitest'
import type { QrCode } from '../../src/contract/codes/codes.ts'
import { DAY_MS } from '../../src/contract/time.ts'
import { engines } from '../support/engines.ts'
import { madeIn } from '../support/for-block.ts'
import { jobsAfter } from '../support/jobs.ts'
import { enrolForEach, newPerson } from '../support/person.ts'
import { newProgram } from '../support/program.ts'
import { expectRefusal, refusal } from '../support/refusal.ts'
import { runTessera } from '../support/tessera.ts'

const MENU = { name: 'Menu', url: 'https://example.com/menu' }

describe.each(engines)('a code in one call on %s', (engine) => {
  const tessera = runTessera({ engine })
  const ada = enrolForEach(tessera, 'unlimited')
  const robot = madeIn(beforeEach, () => newProgram(ada))

  const make = (body: object = MENU, key?: string, path = '/api/qr-codes') =>
    robot.call(path, { method: 'POST', body, headers: key ? { 'idempotency-key': key } : {} })
  const namesOf = async () => (await ada.ask<QrCode[]>('/api/qr-codes')).map(({ name }) => name)

  test('it is made with all that a change can say, and leads to its destination', async () => {
    const look = { style: 'rounded', foregroundColor: '#1e40af', artwork: { margin: 6 } }
    const answer = await make({ ...MENU, ...look, vanityUrl: `Menu-${ada.id}`, tags: ['Summer'] })
    const code = (await answer.json()) as QrCode
    expect(answer.status).toBe(201)
    expect(answer.headers.get('location')).toBe(`/api/qr-codes/${code.id}`)
    expect(answer.headers.get('etag')).toBe('"1"')
    expect(code).toMatchObject({ ...MENU, ...look, tags: ['Summer'], isActive: true, version: 1 })
    expect(await ada.ask(`/api/qr-codes/${code.id}`)).toMatchObject({ id: code.id, version: 1 })
    for (const path of [code.shortCode, code.vanityUrl]) {
      const scan = await robot.call(`/qr/${path}`)
      expect([scan.status, scan.headers.get('location')]).toEqual([302, MENU.url])
    }
  })

  test('a wrong value is refused as elsewhere, and nothing is made', async () => {
    expect(await refusal(await make({ url: MENU.url }))).toMatchObject({
      code: 'invalid_input',
      fields: { name: expect.any(String) },
    })
    const own = await make({ ...MENU, url: `${tessera.origin}/qr/abc` })
    expect(await refusal(own)).toMatchObject({
      code: 'invalid_input',
      fields: { url: expect.any(String) },
    })
    const poor = await newPerson(tessera, 'starter')
    for (let count = 0; count < 3; count++) await poor.code()
    const over = await poor.call('/api/qr-codes', { method: 'POST', body: MENU })
    await expectRefusal(over, 'plan_limit_reached')
    expect(await namesOf()).toEqual([])
  })

  test('a call that is repeated with its Idempotency-Key makes one code, however often and at once', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => make(MENU, 'order 1')))
    const bodies = await Promise.all(answers.map((answer) => answer.text()))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(bodies).size).toBe(1)
    const first = answers.filter(({ headers }) => headers.get('idempotency-replayed') === null)
    expect(first).toHaveLength(1)
    expect(await namesOf()).toEqual(['Menu'])
  })

  test('the key of another call is refused; each account has keys of its own', async () => {
    await make(MENU, 'order 1')
    const reused = { status: 422, code: 'idempotency_key_reused' }
    expect(await refusal(await make({ ...MENU, name: 'Other' }, 'order 1'))).toMatchObject(reused)
    const series = await make({ rows: [MENU] }, 'order 1', '/api/qr-codes/bulk')
    expect(await refusal(series)).toMatchObject(reused)
    const eve = await newProgram(await newPerson(tessera, 'unlimited'))
    const headers = { 'idempotency-key': 'order 1' }
    const hers = await eve.call('/api/qr-codes', { method: 'POST', body: MENU, headers })
    expect([hers.status, hers.headers.get('idempotency-replayed')]).toEqual([201, null])
    await expectRefusal(make(MENU, 'x'.repeat(256)), 'invalid_input')
  })

  test('a refused call can be made again with its key', async () => {
    const wanted = { ...MENU, vanityUrl: `once-${ada.id}`.slice(0, 40).toLowerCase() }
    const { id } = await ada.code({ vanityUrl: wanted.vanityUrl })
    await expectRefusal(make(wanted, 'order 1'), 'custom_path_taken')
    await ada.ask(`/api/qr-codes/${id}`, { method: 'DELETE' })
    const other = await make(MENU, 'order 1')
    expect([other.status, await namesOf()]).toEqual([201, ['Menu']])
  })

  test('a series is made once, too, and its key is free again after a day', async () => {
    const rows = ['One', 'Two'].map((name) => ({ ...MENU, name }))
    const first = await make({ rows }, 'series', '/api/qr-codes/bulk')
    const again = await make({ rows }, 'series', '/api/qr-codes/bulk')
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(await again.json()).toEqual(await first.json())
    expect((await namesOf()).sort()).toEqual(['One', 'Two'])

    await jobsAfter(tessera, DAY_MS)
    const { db } = tessera.database
    expect(await db.selectFrom('idempotency_keys').selectAll().execute()).toEqual([])
    const later = await make({ rows }, 'series', '/api/qr-codes/bulk')
    expect(later.headers.get('idempotency-replayed')).toBeNull()
    expect(await namesOf()).toHaveLength(4)
  })
})
