import type { Db } from '../database/schema.ts'
import { type Head, payloadsBefore, waitsBefore } from './deliveries-store.ts'

/** The line of scans. One event tells of several codes. */
export const SCANS_LINE = 'scans'
/** The line of the account's plan */
export const PLAN_LINE = 'plan'
/** Every test is a line of its own: it waits for nothing. */
export const testLine = (id: string) => `test ${id}`

/** Scan events that are looked into; behind more, a change waits. */
const LOOKED_INTO = 20

/** What scans say of which codes (`scan-events.ts`). */
type ByCode = { data: { byCode: { codeId: string }[] } }

/**
 * Of the first of each line, those that may go. Lines keep the order of one code's changes; scans and
 * changes of a code wait for each other too.
 */
export async function deliverable(db: Db, endpoint: string, heads: Head[]): Promise<Head[]> {
  const ready: Head[] = []
  for (const head of heads) if (!(await isHeldUp(db, endpoint, head))) ready.push(head)
  return ready
}

async function isHeldUp(db: Db, endpoint: string, { seq, line, payload }: Head): Promise<boolean> {
  if (line === SCANS_LINE) {
    const { data } = JSON.parse(payload) as ByCode
    return waitsBefore(db, { endpoint, seq, lines: data.byCode.map(({ codeId }) => codeId) })
  }
  if (line === PLAN_LINE || line.startsWith(testLine(''))) return false
  const asked = { endpoint, seq, line: SCANS_LINE, limit: LOOKED_INTO + 1 }
  const scans = await payloadsBefore(db, asked)
  return scans.length > LOOKED_INTO || scans.some((each) => each.includes(line))
}
