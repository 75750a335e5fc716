import { randomUUID } from 'node:crypto'
import pino from 'pino'
import { describe, expect, test } from 'vitest'
import { legibility } from '#contract/pictures/scan-checks.ts'
import type { Legibility, Verdict } from '#qr/scan-check/verdict.ts'
import type { Design } from '#qr/symbol/look.ts'
import type { CodeChange, QrCode } from '../../src/contract/codes/codes.ts'
import { MINUTE_MS } from '../../src/contract/time.ts'
import { uncheckedCodes, Verdicts } from '../../src/server/codes/pictures/verdicts.ts'
import type { WorkspaceId } from '../../src/server/database/ids.ts'
import type { Asker } from '../../src/server/pictures/drawing-pool.ts'
import { BEHIND_PROXY } from '../support/crowd.ts'
import { oneEngineInCi } from '../support/engines.ts'
import { jobsAfter } from '../support/jobs.ts'
import { metricOf } from '../support/metric.ts'
import { enrolPerson, newPerson } from '../support/person.ts'
import { printCode } from '../support/printed-code.ts'
import { someOf } from '../support/soak.ts'
import { runTessera } from '../support/tessera.ts'
import { HANGS, UNRULY_THREAD } from '../support/unruly-looks.ts'

const DARK = { foregroundColor: '#FFFFFF', backgroundColor: '#111827' }

describe.each(oneEngineInCi)('the verdict on a saved code on %s', (engine) => {
  const tessera = runTessera({ engine, environment: BEHIND_PROXY, checks: true })
  const owner = enrolPerson(tessera, 'unlimited')

  /** The verdict in the list */
  async function listedVerdict({ id }: Pick<QrCode, 'id'>): Promise<Verdict | null | undefined> {
    const codes = await owner.ask<QrCode[]>('/api/qr-codes')
    return codes.find((code) => code.id === id)?.legibility
  }

  async function verdictOn(code: QrCode) {
    await expect.poll(() => listedVerdict(code)).not.toBeNull()
    return listedVerdict(code)
  }

  const stored = (id: string) =>
    tessera.database.db
      .selectFrom('codes')
      .select(['legibility', 'legibility_of'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()

  /** Verdicts of their own beside the service's, whose check the test makes up. */
  function verdictsWith(check: (asker: Asker) => Promise<Verdict>) {
    const log = pino({ level: 'silent' })
    const checkLook = async (_design: Design, asker: Asker) =>
      ({ verdict: await check(asker) }) as Legibility
    const { config, database } = tessera
    const { publicUrl } = config
    const { db, reads } = database
    return new Verdicts({ db, reads, log, publicUrl, drawings: { checkLook } })
  }

  test('comes by itself after a save that did not wait for it', async () => {
    const code = await owner.code()
    expect(code.legibility).toBeNull()
    expect(await verdictOn(code)).toMatch(/^(excellent|good)$/)
    const answered = await owner.ask<QrCode>(`/api/qr-codes/${code.id}`)
    expect(answered.legibility).toBe(await listedVerdict(code))
  })

  test('stays with a new name and goes with a new look, until that one is checked', async () => {
    const code = await owner.code()
    const verdict = await verdictOn(code)
    expect(await owner.change(code.id, { name: 'Renamed' })).toMatchObject({ legibility: verdict })
    expect(await owner.change(code.id, DARK)).toMatchObject({ legibility: null })
    expect(await verdictOn(code)).toBe('risky')
    const changes = [{ ecc: 'H' }, { compact: true }, { vanityUrl: `seen-${engine}` }] as const
    for (const change of someOf<CodeChange>(changes, 2)) {
      expect(await owner.change(code.id, change)).toMatchObject({ legibility: null })
      await verdictOn(code)
    }
  })

  test('says that a code in one color cannot be read, and does not keep it from being saved', async () => {
    const { id } = await owner.draft()
    const one = { foregroundColor: '#1e40af', backgroundColor: '#1e40af' }
    const body = { name: 'Invisible', url: 'https://example.com/', ...one }
    const response = await owner.patch(id, body)
    expect(response.status).toBe(200)
    expect(await verdictOn((await response.json()) as QrCode)).toBe('unreadable')
  })

  test('on a look that the code no longer has is never kept', async () => {
    const { id } = await printCode(tessera.database.db)
    const verdicts = verdictsWith(async () => {
      const { db } = tessera.database
      await db.updateTable('codes').set({ style: 'rounded' }).where('id', '=', id).execute()
      return 'unreadable'
    })
    verdicts.checkSoon(id, 'no-user' as WorkspaceId)
    await verdicts.stop()
    expect(await stored(id)).toEqual({ legibility: null, legibility_of: null })
  })

  test('is made by a sweep if it is missing or of another engine', async () => {
    const { db } = tessera.database
    const before = { legibility: 'risky', legibility_of: 'aaaaaaaa.of_an_older_one' }
    const missing = await printCode(db)
    const outdated = await printCode(db, before)
    const draft = await printCode(db, { saved_at: null })
    const deleted = await printCode(db, { deleted_at: Date.now() })
    await jobsAfter(tessera, 11 * MINUTE_MS)
    for (const { id } of [missing, outdated]) {
      const verdict = async () => (await stored(id)).legibility
      await expect.poll(verdict).toMatch(/^(excellent|good)$/)
    }
    for (const { id } of [draft, deleted]) expect((await stored(id)).legibility).toBeNull()
  })

  test('takes turns: an account with many codes keeps no other waiting', async () => {
    const { db } = tessera.database
    const [eve, ada] = [randomUUID(), randomUUID()] as unknown as [WorkspaceId, WorkspaceId]
    const codeOf = async (workspace_id: WorkspaceId, created_at: number) =>
      (await printCode(db, { workspace_id, created_at })).id
    const eves = [await codeOf(eve, 1), await codeOf(eve, 2), await codeOf(eve, 3)]
    const adas = await codeOf(ada, 4)
    const [first, second, third] = eves
    const unchecked = { generation: 'another generation', limit: 1_000 }
    const all = await uncheckedCodes(db, unchecked)
    const missing = all.filter(({ workspace_id: id }) => id === eve || id === ada)
    expect(missing.map(({ id }) => id)).toEqual([first, adas, second, third])
    // One whose check always fails holds up none.
    const last = (await uncheckedCodes(db, { ...unchecked, failed: [String(first)] })).at(-1)
    expect(last?.id).toBe(first)
    const asked: string[] = []
    const verdicts = verdictsWith(async ({ owner, isExempt }) => {
      asked.push(owner)
      expect(isExempt).toBe(true)
      return 'good'
    })
    for (const id of eves) verdicts.checkSoon(id, eve)
    verdicts.checkSoon(adas, ada)
    await expect.poll(() => asked).toEqual([eve, eve, ada, eve])
    await verdicts.stop()
  })

  test('fails alone, and what waits at a stop is left to the sweep', async () => {
    const { db } = tessera.database
    const codes = [await printCode(db), await printCode(db), await printCode(db)]
    let checks = 0
    const verdicts = verdictsWith(async () => {
      checks++
      if (checks === 1) throw new Error('broken')
      await new Promise((resolve) => setTimeout(resolve, 100))
      return 'good'
    })
    for (const { id } of codes) verdicts.checkSoon(id, 'no-user' as WorkspaceId)
    await expect.poll(() => checks).toBe(2)
    await verdicts.stop()
    verdicts.checkSoon(codes[0]?.id ?? '', 'no-user' as WorkspaceId)
    const kept = await Promise.all(codes.map(async ({ id }) => (await stored(id)).legibility))
    expect(kept).toEqual([null, 'good', null])
    expect(checks).toBe(2)
  })

  const check = async (query: string, { id }: QrCode) =>
    legibility.strict().parse(await owner.ask<Legibility>(`/api/qr-codes/${id}/legibility${query}`))

  test('that is asked for is of the look that the query says, and of the saved one for the rest', async () => {
    const dark = await owner.code({ foregroundColor: '#FFFFFF', backgroundColor: '#111827' })
    expect(await check('', dark)).toMatchObject({ verdict: 'risky', inverted: true })
    const query = '?fg=111827&bg=%23FFFFFF&style=rounded&ecc=Q&compact=true'
    expect(await check(query, dark)).toMatchObject({ inverted: false })
    expect(await check('?fg=eeeeee&bg=fff', dark)).toMatchObject({ verdict: 'unreadable' })
    const { foregroundColor } = await owner.ask<QrCode>(`/api/qr-codes/${dark.id}`)
    expect(foregroundColor).toBe('#FFFFFF')
  })

  test('that is asked for is made once for requests at the same time, and not again for the same look', async () => {
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

describe.each(oneEngineInCi)('a server that is too busy for checks on %s', (engine) => {
  const drawing = {
    thread: UNRULY_THREAD,
    size: 2,
    limits: { checks: { waiting: 0 } },
    stopMs: 100,
  }
  const tessera = runTessera({ engine, environment: BEHIND_PROXY, drawing })

  test('saves a code all the same, and says nothing of how it scans', async () => {
    const owner = await newPerson(tessera)
    const draft = await owner.draft()
    const hanging = owner.call(`/api/qr-codes/${draft.id}/legibility?fg=${HANGS.slice(1)}`)
    const cutOff = hanging.catch(() => 'cut off')
    await expect.poll(() => metricOf(tessera, 'checks_total')).toBe(1)
    const code = await owner.code(DARK)
    expect(code).toMatchObject({ ...DARK, legibility: null })
    expect((await owner.call(`/api/qr-codes/${code.id}/legibility?ecc=H`)).status).toBe(503)
    expect(await owner.ask('/api/qr-codes')).toEqual([code])
    tessera.app.server.server.closeAllConnections()
    expect(await cutOff).toBe('cut off')
  })
})
