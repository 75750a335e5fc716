import { statusOf } from '#contract/code-values.ts'
import { codeTableTitles } from '#contract/codes.ts'
import { BYTE_ORDER_MARK, csvLine } from '#contract/downloads/csv.ts'
import type { Db } from '../../database/schema.ts'
import { listedByIds } from '../codes-store.ts'
import { tagsOf } from '../tags/tags-store.ts'
import type { ScansOf } from '../types.ts'

/** Codes that are read and written without a pause: below a millisecond of work. */
const PART = 100

/** Visitors of these codes by id. */
export type VisitorsOf = (ids: string[]) => Promise<Map<string, number>>

export type CodeTableSource = {
  db: Db
  publicUrl: string
  userId: string
  now: Date
  scansOf: ScansOf
  visitorsOf: VisitorsOf
  /** Does a part's work when the account's turn comes */
  inTurn: <T>(work: () => Promise<T>) => Promise<T>
}

/** The codes with these ids as CSV, made while it is sent. What was deleted meanwhile is left out. */
export async function* codeTable(source: CodeTableSource, ids: string[]): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(codeTableTitles)
  for (let start = 0; start < ids.length; start += PART) {
    yield await source.inTurn(() => linesOf(source, ids.slice(start, start + PART)))
  }
}

async function linesOf(source: CodeTableSource, ids: string[]): Promise<string> {
  const { db, userId, publicUrl, now } = source
  const rows = await listedByIds(db, userId, ids)
  const found = rows.map(({ id }) => id)
  const [scans, visitors] = [await source.scansOf(found), await source.visitorsOf(found)]
  const tagsBy = await tagsOf(db, userId, found)
  const link = (name: string) => `${publicUrl}/qr/${name}`
  const lines = rows.map((row) => {
    const end = row.expires_at === null ? null : new Date(row.expires_at).toISOString()
    return csvLine([
      link(row.short_code),
      row.url,
      row.name,
      row.vanity_url === null ? '' : link(row.vanity_url),
      tagsBy(row).join(', '),
      scans.get(row.id)?.total ?? 0,
      visitors.get(row.id) ?? 0,
      new Date(row.created_at).toISOString(),
      statusOf({ isActive: row.paused_at === null, expiresAt: end }, now),
    ])
  })
  return lines.join('')
}
