import { describe, expect, test } from 'vitest'
import type { HistoryEntry } from '../../src/contract/accounts/account-settings.ts'
import type { QrCode } from '../../src/contract/codes/codes.ts'
import { type ApiKeyEntry, KEYS_MAX } from '../../src/contract/integrations/api-keys.ts'
import { DAY_MS } from '../../src/contract/time.ts'
import { memoryLimits } from '../../src/server/http/limits/limits.ts'
import { oneEngineInCi } from '../support/engines.ts'
import { mailTo } from '../support/mailbox.ts'
import {
  enrolForEach,
  eventsOf,
  newPerson,
  type Person,
  prove,
  subscribe,
} from '../support/person.ts'
import { makeKey, newProgram, Program } from '../support/program.ts'
import { expectRefusal } from '../support/refusal.ts'
import { rowsOf } from '../support/rows.ts'
import { tally } from '../support/tally.ts'
import { runTessera } from '../support/tessera.ts'

describe.each(oneEngineInCi)('API keys on %s', (engine) => {
  const logged: string[] = []
  const tessera = runTessera({ engine, logTo: { write: (line) => logged.push(line) } })
  const ada = enrolForEach(tessera, 'unlimited')

  const keysOf = (person: Person) => person.ask<ApiKeyEntry[]>('/api/account/keys')

  test('a key is shown once; the list and the database have only what it begins with', async () => {
    const { key, ...entry } = await makeKey(ada, { name: 'Till', scope: 'read', days: 30 })
    expect(key).toMatch(/^tsk_[a-z2-9]{40}$/)
    expect(await keysOf(ada)).toEqual([entry])
    expect(entry).toMatchObject({ name: 'Till', scope: 'read', lastUsedAt: null })
    expect(Date.parse(entry.endsAt ?? '') - Date.parse(entry.madeAt)).toBe(30 * DAY_MS)
    expect(key.startsWith(entry.start)).toBe(true)
    const rows = await tessera.database.db.selectFrom('api_keys').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(key.slice(entry.start.length))
  })

  test('a key that a caller puts into an address opens nothing and is in no log', async () => {
    const { key } = await makeKey(ada)
    const [encoded, before] = [key.replace('_', '%5F'), logged.length]
    for (const path of [
      `/api/qr-codes?key=${key}`,
      `/api/${key}`,
      `/api/qr-codes?key=${encoded}`,
    ]) {
      expect((await fetch(`${tessera.origin}${path}`)).ok).toBe(false)
    }
    await expect.poll(() => logged.slice(before).join('')).toContain('/api/qr-codes?key=tsk_…')
    expect(logged.join('')).not.toContain(key.slice('tsk_'.length))
  })

  test('the keys of a lapsed plan rest and work again with the plan', async () => {
    const robot = await newProgram(ada)
    await subscribe(ada, 'unlimited', 'canceled')
    await expectRefusal(robot.call('/api/qr-codes'), 'api_not_in_plan')
    await subscribe(ada, 'unlimited')
    expect((await robot.call('/api/qr-codes')).status).toBe(200)
  })

  test('only the plan with the API makes keys; on every plan they are seen and revoked', async () => {
    const { id } = await makeKey(ada)
    await subscribe(ada, 'professional')
    const body = { name: 'Robot', scope: 'read', days: null }
    await expectRefusal(ada.post('/api/account/keys', body), 'api_not_in_plan')
    expect(await keysOf(ada)).toMatchObject([{ id }])
    await ada.ask(`/api/account/keys/${id}`, { method: 'DELETE' })
    expect(await keysOf(ada)).toEqual([])
  })

  test('the owner gets a mail about a new key', async () => {
    await prove(ada)
    await makeKey(ada, { name: 'Till' })
    expect(await mailTo(tessera, ada.email, 'An API key was created')).toContain('“Till”')
  })

  test('a key that a restore paused opens nothing until its owner turns it on', async () => {
    await prove(ada)
    const { id, key } = await makeKey(ada, { name: 'Till' })
    const [robot, eve] = [new Program(ada, key), await newPerson(tessera, 'unlimited')]
    const own = tessera.database.db.updateTable('api_keys').where('id', '=', id)
    await own.set({ paused_at: tessera.clock.now().getTime() }).execute()
    const resume = (person: Person) => person.post(`/api/account/keys/${id}/resume`)

    await expectRefusal(robot.call('/api/qr-codes'), 'key_paused')
    await expectRefusal(robot.post('/api/mcp'), 'key_paused')
    await expectRefusal(resume(robot), 'key_paused')
    await expectRefusal(resume(eve), 'not_found')
    await expectRefusal(robot.call('/api/qr-codes'), 'key_paused')
    const [paused] = await keysOf(ada)
    expect(paused).toMatchObject({ id, pausedAt: expect.any(String), lastUsedAt: null })

    for (const _time of ['first', 'second']) expect((await resume(ada)).status).toBe(204)
    expect((await robot.call('/api/qr-codes')).status).toBe(200)
    expect(await keysOf(ada)).toMatchObject([{ id, pausedAt: null }])
    expect(await mailTo(tessera, ada.email, 'An API key was turned on again')).toContain('“Till”')
    const events = (await eventsOf(tessera, ada.id)).filter((each) => each.startsWith('api-key'))
    expect(events.sort()).toEqual(['api-key-made', 'api-key-resumed'])
  })

  test('an account has at most 20 keys, however many are made at once', async () => {
    const body = { name: 'Robot', scope: 'read', days: null }
    const makings = Array.from({ length: KEYS_MAX + 5 }, () => ada.post('/api/account/keys', body))
    expect(await tally(makings)).toEqual({ 201: KEYS_MAX, 409: 5 })
    await expectRefusal(ada.post('/api/account/keys', body), 'keys_full')
  })

  test('a key and a cookie never mix: the key decides alone, from any browser', async () => {
    const eve = await newPerson(tessera, 'unlimited')
    const robot = await newProgram(ada)
    await ada.code({ name: 'Ada’s' })
    await eve.code({ name: 'Eve’s' })
    const headers = { cookie: eve.cookie }
    const codes = await robot.ask<QrCode[]>('/api/qr-codes', { headers })
    expect(codes.map(({ name }) => name)).toEqual(['Ada’s'])
    const wrong = new Program(
      ada,
      `${robot.key.slice(0, -1)}${robot.key.endsWith('a') ? 'b' : 'a'}`,
    )
    const answer = await wrong.call('/api/qr-codes', { headers })
    expect(answer.headers.getSetCookie()).toEqual([])
    expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
    await expectRefusal(answer, 'key_invalid')
    // Another scheme is ignored: a proxy in front of us may ask for a password of its own.
    const basic = { authorization: 'Basic YWRhOnB3' }
    expect((await eve.call('/api/qr-codes', { headers: basic })).status).toBe(200)
  })

  test('each answer says how many calls are left; one too many is refused until a time', async () => {
    const robot = await newProgram(ada, { scope: 'read' })
    const { max } = memoryLimits['key-calls']
    const first = await robot.call('/api/account')
    await expectRefusal(first, 'key_not_here')
    expect(first.headers.get('ratelimit-policy')).toBe(`"calls";q=${max};w=60`)
    expect(first.headers.get('ratelimit')).toBe(`"calls";r=${max - 1};t=60`)
    for (let sent = 1; sent < max; sent += 100) {
      const calls = Array.from({ length: Math.min(100, max - sent) }, () =>
        robot.call('/api/account'),
      )
      for (const answer of await Promise.all(calls)) await answer.text()
    }
    const last = await robot.call('/api/qr-codes')
    expect(last.headers.get('ratelimit')).toMatch(/^"calls";r=0;t=\d+$/)
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0)
    await expectRefusal(last, 'rate_limited')
    // The owner's dashboard goes on.
    expect((await ada.call('/api/qr-codes')).status).toBe(200)
  })

  test('the list says when a key was used last, and the history what was done with keys', async () => {
    const robot = await newProgram(ada, { name: 'Till' })
    await robot.code()
    await expect.poll(async () => (await keysOf(ada))[0]?.lastUsedAt).not.toBeNull()
    const [entry] = await keysOf(ada)
    tessera.clock.advance(-DAY_MS)
    await robot.code()
    const earlier = async () => (await keysOf(ada))[0]?.lastUsedAt
    await expect.poll(earlier).not.toBe(entry?.lastUsedAt)
    tessera.clock.advance(DAY_MS)
    await ada.ask(`/api/account/keys/${entry?.id}`, { method: 'DELETE' })
    const history = await ada.ask<HistoryEntry[]>('/api/account/history')
    const events = history.map(({ event }) => event).filter((event) => event.startsWith('api-key'))
    expect(events.sort()).toEqual(['api-key-made', 'api-key-revoked'])
    const made = { user_id: ada.id, event: 'code-made' } as const
    const [done] = await rowsOf(tessera.database.db, 'audit_entries', made)
    expect(done?.device).toBe('API key “Till”')
  })
})
