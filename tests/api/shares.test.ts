import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Breakdown, Figures, Now } from '../../src/contract/analytics/figures.ts'
import type { Share, SharedCode, ShareList } from '../../src/contract/analytics/shares.ts'
import { DAY_MS } from '../../src/contract/time.ts'
import { oneEngineInCi } from '../support/engines.ts'
import { jobsAfter } from '../support/jobs.ts'
import { recordPast } from '../support/past-scans.ts'
import { enrolForEach, eventsOf, newPerson, Person, subscribe } from '../support/person.ts'
import { newProgram } from '../support/program.ts'
import { expectRefusal, refusal } from '../support/refusal.ts'
import { rowsOf } from '../support/rows.ts'
import { runTessera } from '../support/tessera.ts'

const NOT_SHARED = '<h1>This page is not shared</h1>'
const CALLS = ['/code', '/figures', '/breakdown?facet=country', '/heatmap', '/classes', '/now']

describe.each(oneEngineInCi)('a shared page on %s', (engine) => {
  const logged: string[] = []
  const logTo = { write: (line: string) => logged.push(line) }
  const tessera = runTessera({ engine, logTo, environment: { LOG_LEVEL: 'trace' } })
  const ada = enrolForEach(tessera, 'unlimited')
  /** Has no account, only a link. */
  const visitor = new Person(tessera, '')

  beforeEach(() => tessera.clock.set('2026-03-05T10:00:00Z'))
  afterEach(() => tessera.clock.set(new Date().toISOString()))

  const share = (code: { id: string }, body: object = {}, owner = ada) =>
    owner.make<Share>(`/api/analytics/shares?qr=${code.id}`, body)
  const listOf = ({ id }: { id: string }) => ada.ask<ShareList>(`/api/analytics/shares?qr=${id}`)
  const stop = ({ id }: Share, owner = ada) => owner.delete(`/api/analytics/shares/${id}`)
  const pausedOf = ({ shares }: ShareList) => shares.map(({ pausedAt }) => pausedAt)
  const pageOf = ({ link }: Share) => new URL(link ?? '').pathname
  /** The path of a share's calls, which older links have. */
  const pathOf = (shared: Share) => pageOf(shared).replace(/^\/s\//, '/api/share/')
  const scan = (code: { id: string }, at: string, more = {}) =>
    recordPast(tessera.database.location, [
      { code_id: code.id, at: Date.parse(at), visitor: `${at} ${code.id}`, ...more },
    ])

  /** The page and all its calls are there, or none is. */
  async function expectShared(shared: Share, isShared: boolean) {
    for (const path of [pageOf(shared), pathOf(shared)]) {
      const page = await visitor.call(path)
      expect([path, page.status, (await page.text()).includes(NOT_SHARED)]).toEqual(
        isShared ? [path, 200, false] : [path, 404, true],
      )
    }
    for (const call of CALLS) {
      const answer = await visitor.call(pathOf(shared) + call)
      if (isShared) expect([call, answer.status]).toEqual([call, 200])
      else expect([call, await refusal(answer)]).toMatchObject([call, { code: 'share_not_found' }])
    }
  }

  test('shows the figures of one code, and of nothing else, whatever is asked', async () => {
    const [menu, poster] = [await ada.code({ name: 'Menu' }), await ada.code({ name: 'Poster' })]
    await scan(menu, '2026-03-04T12:00:00Z', { city: 'Berlin' })
    await scan(poster, '2026-03-04T12:00:00Z', { country: 'FR' })
    const path = pathOf(await share(menu, { note: 'For Anna' }))
    const read = <Answer>(call: string) => visitor.ask<Answer>(path + call)

    expect(await read<SharedCode>('/code')).toEqual({
      name: 'Menu',
      endsAt: expect.stringContaining('2026-04-04T10:00'),
    })
    expect(await read<Figures>('/figures')).toMatchObject({ scans: 1, visitors: 1 })
    expect(await read<Figures>(`/figures?qr=${poster.id}`)).toMatchObject({ scans: 1 })
    expect(await read<Figures>('/figures?country=FR')).toMatchObject({ scans: 0 })
    const { rows } = await read<Breakdown>('/breakdown?facet=country&city=Berlin')
    expect(rows).toEqual([{ value: 'DE', label: 'Germany', scans: 1 }])
    for (const beyond of ['/stream', '/scans.csv', '/shares', '/user', '/latest']) {
      expect([beyond, (await visitor.call(path + beyond)).status]).toEqual([beyond, 404])
    }

    const said = await Promise.all(
      [path, ...CALLS.map((call) => path + call)].map(async (each) =>
        (await visitor.call(each)).text(),
      ),
    )
    const secrets = [ada.email, ada.id, menu.id, menu.shortCode, 'example.com/menu', 'For Anna']
    for (const secret of [...secrets, poster.id, 'Poster']) {
      expect([secret, said.some((text) => text.includes(secret))]).toEqual([secret, false])
    }
  })

  test('tells of the last half hour by the minute, and of no single scan', async () => {
    const menu = await ada.code()
    await scan(menu, '2026-03-05T09:59:00Z', { city: 'Berlin' })
    const { minutes, scans } = await visitor.ask<Now>(`${pathOf(await share(menu))}/now`)
    expect([minutes.reduce((sum: number, each) => sum + (each ?? 0), 0), scans]).toEqual([1, []])
  })

  test('is not cached, not listed by search engines, sends no referrer, and sets no cookie', async () => {
    const path = pathOf(await share(await ada.code()))
    for (const call of ['', ...CALLS]) {
      const { headers } = await visitor.call(path + call)
      expect(Object.fromEntries(headers)).toMatchObject({
        'cache-control': 'private, no-store',
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex, nofollow',
        'content-security-policy': expect.stringContaining("default-src 'self'"),
      })
      expect(headers.getSetCookie()).toEqual([])
    }
    expect(await (await visitor.call(path)).text()).toContain('name="robots" content="noindex')
  })

  test('is gone at once when its owner stops it', async () => {
    const menu = await ada.code()
    const [first, second] = [await share(menu), await share(menu)]
    expect((await stop(first)).status).toBe(204)
    await expectShared(first, false)
    await expectShared(second, true)
    expect(await refusal(await stop(first))).toMatchObject({ code: 'share_not_found' })
    const { shares } = await listOf(menu)
    expect(shares).toEqual([expect.objectContaining({ id: second.id, link: second.link })])
  })

  test('is not opened by a key that only reads, which a link would outlive', async () => {
    const menu = await ada.code()
    const { link } = await share(menu)
    for (const [scope, shown] of [
      ['read', null],
      ['write', link],
    ] as const) {
      const program = await newProgram(ada, { scope })
      const { shares } = await program.ask<ShareList>(`/api/analytics/shares?qr=${menu.id}`)
      expect(shares.map((each) => each.link)).toEqual([shown])
    }
  })

  test('is gone after a restore paused it, until its owner turns it on', async () => {
    const menu = await ada.code()
    const [first, second] = [await share(menu), await share(menu)]
    const own = tessera.database.db.updateTable('shares').where('id', '=', first.id)
    const at = tessera.clock.now()
    await own.set({ paused_at: at.getTime() }).execute()
    const resume = (owner: Person) => owner.post(`/api/analytics/shares/${first.id}/resume`)

    await expectShared(first, false)
    await expectShared(second, true)
    await expectRefusal(resume(await newPerson(tessera, 'unlimited')), 'share_not_found')
    await expectRefusal(resume(await newProgram(ada)), 'key_not_here')
    await expectShared(first, false)
    expect(pausedOf(await listOf(menu)).sort()).toEqual([at.toISOString(), null])

    for (const _time of ['first', 'second']) expect((await resume(ada)).status).toBe(204)
    await expectShared(first, true)
    expect(pausedOf(await listOf(menu))).toEqual([null, null])
    const events = (await eventsOf(tessera, ada.id)).filter((each) => each === 'page-share-resumed')
    expect(events).toHaveLength(1)
  })

  test.each([7, 365])('ends after the %i days that were asked for', async (days) => {
    const menu = await ada.code()
    const shared = await share(menu, { days })
    expect(Date.parse(shared.endsAt) - Date.parse(shared.madeAt)).toBe(days * DAY_MS)
    tessera.clock.advance(days * DAY_MS - 3_600_000)
    await expectShared(shared, true)
    tessera.clock.advance(3_600_000)
    await expectShared(shared, false)
    expect((await listOf(menu)).shares).toEqual([])
    await tessera.app.jobs.runDue()
    const left = tessera.database.db.selectFrom('shares').select('id').where('id', '=', shared.id)
    expect(await left.execute()).toEqual([])
  })

  test('has always an end, and a note that fits', async () => {
    const menu = await ada.code()
    const bad = [{ days: 1 }, { days: 3650 }, { days: null }, { note: 'x'.repeat(101) }]
    for (const body of [...bad, { note: 'a\u202eb' }, { until: 'ever' }]) {
      const path = `/api/analytics/shares?qr=${menu.id}`
      const refused = await ada.call(path, { method: 'POST', body })
      expect(await refusal(refused)).toMatchObject({ code: 'invalid_input' })
    }
  })

  test('is part of the paid plans, rests when the plan lapses, and goes on with it', async () => {
    const free = await newPerson(tessera)
    const menu = await free.code()
    const path = `/api/analytics/shares?qr=${menu.id}`
    const refused = await free.call(path, { method: 'POST', body: {} })
    expect(await refusal(refused)).toMatchObject({ status: 403, code: 'share_not_in_plan' })
    expect(await free.ask(path)).toEqual({ isInPlan: false, shares: [] })

    await subscribe(free, 'starter')
    const [shared, other] = [await share(menu, {}, free), await share(menu, {}, free)]
    await expectShared(shared, true)
    await subscribe(free, 'starter', 'canceled')
    await expectShared(shared, false)
    const { isInPlan, shares } = await free.ask<ShareList>(path)
    expect([isInPlan, shares.length]).toEqual([false, 2])
    expect((await stop(other, free)).status).toBe(204)
    await subscribe(free, 'starter')
    await expectShared(shared, true)
    await expectShared(other, false)
  })

  test('shows a paused and an expired code, and none that is in the bin', async () => {
    const menu = await ada.code()
    const shared = await share(menu)
    await ada.change(menu.id, { isActive: false })
    await expectShared(shared, true)
    const expired = { expires_at: tessera.clock.now().getTime() - DAY_MS }
    const own = tessera.database.db.updateTable('codes').set(expired).where('id', '=', menu.id)
    await own.execute()
    await expectShared(shared, true)
    await ada.remove(menu.id)
    await expectShared(shared, false)
    await ada.make(`/api/qr-codes/${menu.id}/restore`)
    await expectShared(shared, true)
    await ada.remove(menu.id)
    await jobsAfter(tessera, 31 * DAY_MS)
    expect(await rowsOf(tessera.database.db, 'shares', { workspace_id: ada.workspaceId })).toEqual(
      [],
    )
  })

  test('has at most nine others of its code and 99 of its account, however many are made at once', async () => {
    const codes = await Promise.all(Array.from({ length: 10 }, () => ada.code()))
    const asked = [codes[0], ...codes] as typeof codes
    const make = ({ id }: { id: string }) =>
      ada.call(`/api/analytics/shares?qr=${id}`, { method: 'POST', body: {} })
    const answers = await Promise.all(
      asked.flatMap((code) => Array.from({ length: 10 }, () => make(code))),
    )
    const count = (status: number) => answers.filter((each) => each.status === status).length
    expect([count(201), count(409)]).toEqual([100, 10])
    const another = await refusal(await make(await ada.code()))
    expect(another).toMatchObject({ code: 'shares_full', message: expect.stringContaining('100') })
  })

  test('says to its owner when it was last opened', async () => {
    const menu = await ada.code()
    const shared = await share(menu)
    expect(shared.lastOpenedAt).toBeNull()
    // A program that looks at links opens none.
    await visitor.call(pathOf(shared))
    expect((await listOf(menu)).shares[0]?.lastOpenedAt).toBeNull()
    await visitor.ask(`${pathOf(shared)}/code`)
    tessera.clock.advance(60_000)
    await visitor.ask(`${pathOf(shared)}/code`)
    expect((await listOf(menu)).shares[0]?.lastOpenedAt).toContain('2026-03-05T10:00')
    tessera.clock.advance(10 * 60_000)
    await visitor.ask(`${pathOf(shared)}/code`)
    expect((await listOf(menu)).shares[0]?.lastOpenedAt).toContain('2026-03-05T10:11')
  })

  test('has a token that is in no log and nowhere in the database, and its making is in the history', async () => {
    const menu = await ada.code()
    const shared = await share(menu)
    const [token = ''] = pathOf(shared).split('/').slice(-1)
    expect(token).toMatch(/^[\w-]{43}$/)
    logged.length = 0
    await expectShared(shared, true)
    await stop(shared)
    await expectShared(shared, false)
    expect(pageOf(shared)).toBe(`/s/${token}`)
    for (const path of ['/api/share/…/figures', '/s/…']) expect(logged.join('')).toContain(path)
    expect(logged.join('')).not.toContain(token)
    const other = await share(menu)
    const stored = tessera.database.db.selectFrom('shares').selectAll().where('id', '=', other.id)
    expect(JSON.stringify(await stored.execute())).not.toContain(pathOf(other).split('/').at(-1))
    const history = await ada.ask<{ event: string }[]>('/api/account/history')
    const events = history.map(({ event }) => event).filter((event) => event.startsWith('page-'))
    expect(events.sort()).toEqual(['page-shared', 'page-shared', 'page-unshared'])
  })
})
