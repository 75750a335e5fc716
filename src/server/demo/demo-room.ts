import { createHmac } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type NewCode, newCode } from '#contract/codes/codes.ts'
import { DAY_MS, HOUR_MS } from '#contract/time.ts'
import { batchesOf } from '../batches.ts'
import type { Clock } from '../clock.ts'
import type { WorkspaceId } from '../database/ids.ts'
import type { Job } from '../jobs.ts'
import { type DemoCode, owner } from './cafe.ts'
import { type PastVisit, visitsOf } from './visits.ts'

/** Between two batches scans of real codes come in. */
const VISITS_A_BATCH = 250
const PAUSE_MS = 20

/** A code of the demo that is there already. Instants are epoch milliseconds. */
export type MadeCode = { id: string; name: string; savedAt: number; pausedAt: number | null }

export type DemoVisit = PastVisit & { codeId: string }

export type DemoRoomDeps = {
  clock: Clock
  email: string
  /** Makes the account with its plan, or finds it. */
  account: (account: { email: string; name: string; plannedAt: number }) => Promise<WorkspaceId>
  codes: (workspaceId: WorkspaceId) => Promise<MadeCode[]>
  /** Makes a code as it would have been made at that time. */
  makeCode: (workspaceId: WorkspaceId, wanted: NewCode, at: Date) => Promise<string>
  pauseCode: (workspaceId: WorkspaceId, id: string, at: Date) => Promise<void>
  /** The end of the quarter-hour in which a code was last scanned; 0 if it never was. */
  lastScanOf: (workspaceId: WorkspaceId, codeId: string) => Promise<number>
  record: (visits: DemoVisit[]) => Promise<void>
}

/** The account that the live demo shows: a café's codes, which are scanned every day. */
export function demoRoom(deps: DemoRoomDeps) {
  const jobs: Job[] = [{ name: 'live-demo', everyMs: HOUR_MS, run: () => keepDemo(deps) }]
  return {
    email: deps.email,
    jobs,
    /** Whether all codes of the demo's account are there. */
    hasCodes: async (workspaceId: WorkspaceId) => {
      const names = await namesOf(deps, workspaceId)
      return wanted.every(({ name }) => names.has(name))
    },
  }
}

/**
 * The address of the demo's account. No mail can go to .invalid (RFC 6761 §6.4), and a visitor cannot
 * sign up with it before the account is there.
 */
export function demoEmail(secret: string): string {
  const hidden = createHmac('sha256', secret).update('live demo').digest('hex').slice(0, 16)
  return `demo-${hidden}@tessera.invalid`
}

/** Its codes have no custom paths: those are for people. Deleted ones would not be seen. */
const wanted = owner.codes.filter(({ deleted }) => !deleted)

/** Makes what is missing, and the scans since the last time. It can be cut off at any point. */
async function keepDemo(deps: DemoRoomDeps): Promise<void> {
  const now = deps.clock().getTime()
  const workspaceId = await deps.account({
    email: deps.email,
    name: owner.name,
    plannedAt: now - 98 * DAY_MS,
  })
  const names = await namesOf(deps, workspaceId)
  for (const code of wanted) {
    if (!names.has(code.name)) await makeCode(deps, workspaceId, code, now)
  }
  await recordVisits(deps, workspaceId, await deps.codes(workspaceId), now)
}

const namesOf = async ({ codes }: DemoRoomDeps, workspaceId: WorkspaceId) =>
  new Set((await codes(workspaceId)).map(({ name }) => name))

async function makeCode(deps: DemoRoomDeps, workspaceId: WorkspaceId, code: DemoCode, now: number) {
  const { name, url, look, made, paused } = code
  const wanted = newCode.parse({ name, url, ...look })
  const id = await deps.makeCode(workspaceId, wanted, new Date(now - made * DAY_MS))
  if (paused) await deps.pauseCode(workspaceId, id, new Date(now - paused * DAY_MS))
}

async function recordVisits(
  deps: DemoRoomDeps,
  workspaceId: WorkspaceId,
  codes: MadeCode[],
  now: number,
) {
  const visits: DemoVisit[] = []
  for (const { id, name, savedAt, pausedAt } of codes) {
    const scanned = wanted.find((code) => code.name === name)?.scanned
    if (!scanned) continue
    const last = await deps.lastScanOf(workspaceId, id)
    const to = pausedAt ?? now
    for (const visit of visitsOf({ name, from: savedAt, to, scanned })) {
      if (visit.at > last) visits.push({ ...visit, codeId: id })
    }
  }
  visits.sort((one, other) => one.at - other.at)
  for (const some of batchesOf(visits, VISITS_A_BATCH)) {
    await deps.record(some)
    await pause(PAUSE_MS)
  }
}
