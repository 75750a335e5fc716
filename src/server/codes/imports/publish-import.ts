import { CODE_TAGS_MAX } from '#contract/code-values.ts'
import type { ImportPublish } from '#contract/imports.ts'
import type { Origin } from '../../audit.ts'
import type { Tx } from '../../database/schema.ts'
import { transact } from '../../database/transact.ts'
import { AppError } from '../../http/errors.ts'
import { leaseEnd } from '../../jobs.ts'
import { lockAccount } from '../codes-store.ts'
import { createCodes, lookOfMany, newRow } from '../create-codes.ts'
import { columnsOf, importLimit, tooManyCodes, wantedArtwork } from '../rules.ts'
import { refuseForeignLogo } from '../styles/logos.ts'
import { distinctNames } from '../tags/give-tags.ts'
import type { CodeDeps, CodesRoomDeps } from '../types.ts'
import {
  changeImport,
  checkPaths,
  countRows,
  type ImportRecord,
  ownImport,
  rowsFrom,
  setLostPath,
  tagsOfRows,
} from './imports-store.ts'

/** How an import is to be published, as its row keeps it. */
type Wanted = {
  look: ReturnType<typeof columnsOf>
  tags: string[]
  otherPaths: boolean
  origin: Origin
}

const wantedOf = ({ wanted }: ImportRecord) => JSON.parse(wanted ?? '{}') as Wanted

/**
 * Writes down that an import is to be published, and how.
 * @throws AppError not_found, import_not_ready, import_has_problems, plan_limit_reached, custom_path_taken,
 * artwork_not_in_plan, code_tags_full, invalid_input
 */
export async function askPublish(
  { db, entitlementsOf }: Pick<CodeDeps, 'db' | 'entitlementsOf'>,
  { userId, id, origin }: { userId: string; id: string; origin: Origin },
  { look, tags, otherPaths }: ImportPublish,
): Promise<ImportRecord> {
  return transact(db, async (tx) => {
    const used = await lockAccount(tx, userId)
    const record = await ownImport(tx, userId, id)
    if (record.state !== 'checked') throw new AppError('import_not_ready')
    if (record.problems > 0) throw new AppError('import_has_problems')
    const plan = await entitlementsOf(tx, userId)
    const limit = importLimit(plan)
    if (used + record.rows > limit) {
      throw tooManyCodes('file', plan, { used, wanted: record.rows, limit })
    }
    refuseLostPaths(record.lost_paths, otherPaths)
    await refuseFullCodes(tx, record.id, tags)
    const columns = columnsOf(await lookOfMany(tx, userId, look, plan))
    const wanted: Wanted = { look: columns, tags, otherPaths, origin }
    const asked = await changeImport(
      tx,
      { id: record.id, states: ['checked'] },
      { state: 'publishing', wanted: JSON.stringify(wanted), done: 0, fault: null },
    )
    if (!asked) throw new AppError('import_not_ready')
    return asked
  })
}

/** @throws AppError custom_path_taken, unless these rows may go without */
function refuseLostPaths(lost: number, otherPaths: boolean): void {
  if (lost === 0 || otherPaths) return
  const rows =
    lost === 1 ? '1 row cannot have its custom URL' : `${lost} rows cannot have their custom URLs`
  throw new AppError(
    'custom_path_taken',
    `${rows}. Mend the file, or let ${lost === 1 ? 'it' : 'them'} have a short link only. Nothing was made.`,
  )
}

async function refuseFullCodes(tx: Tx, id: string, tags: readonly string[]): Promise<void> {
  if (tags.length === 0) return
  for (const own of await tagsOfRows(tx, id)) {
    if (distinctNames([...own, ...tags]).length > CODE_TAGS_MAX) {
      throw new AppError('code_tags_full')
    }
  }
}

export type PublishDeps = Pick<CodesRoomDeps, 'db' | 'clock' | 'entitlementsOf' | 'recordLater'>

const PART_ROWS = 500

/**
 * Creates the codes of all rows of an import, in one transaction: all of them can be seen from its commit on.
 * Before it begins, the rows say which of their custom paths other codes have.
 * @returns the import; undefined if another process has it, or if it was abandoned
 * @throws AppError plan_limit_reached, custom_path_taken, artwork_not_in_plan, tags_full, rate_limited, invalid_input
 */
export async function publishRows(
  { db, clock, entitlementsOf, recordLater }: PublishDeps,
  { id, user_id: userId }: ImportRecord,
  holder: string,
): Promise<ImportRecord | undefined> {
  await transact(db, async (tx) => checkPaths(tx, id, await entitlementsOf(tx, userId)))
  return transact(db, async (tx) => {
    await lockAccount(tx, userId)
    const now = clock()
    const record = await changeImport(
      tx,
      { id, holder, states: ['publishing'] },
      { state: 'published', published_at: now.getTime(), held_until: leaseEnd(now) },
    )
    if (!record) return undefined
    const { look, tags, otherPaths, origin } = wantedOf(record)
    const plan = await entitlementsOf(tx, userId)
    const artwork = look.artwork === null ? null : JSON.parse(look.artwork)
    wantedArtwork({ artwork }, null, plan)
    await refuseForeignLogo(tx, userId, artwork)
    let { lost_paths } = await countRows(tx, id)
    refuseLostPaths(lost_paths, otherPaths)
    // In parts, so that the rows of a large file are never all in memory.
    for (let first = 0; first < record.rows; first += PART_ROWS) {
      const part = await rowsFrom(tx, id, { from: first, limit: PART_ROWS })
      const rows = part.map(({ code_id, name, url, path, lost_path }) =>
        newRow(userId, look, now, {
          id: code_id,
          name,
          url,
          path: lost_path === null ? path : null,
        }),
      )
      const tagsOfRow = part.map((row) => distinctNames([...JSON.parse(row.tags), ...tags]))
      await createCodes(
        { record: recordLater(userId, origin) },
        tx,
        {
          kind: 'file',
          plan,
          rows,
          tagsAt: (index) => tagsOfRow[index] ?? [],
          // Another code was quicker since the paths were looked at.
          onTaken: async (indexes) => {
            lost_paths += indexes.length
            refuseLostPaths(lost_paths, otherPaths)
            const inFile = indexes.map((index) => first + index)
            await setLostPath(tx, id, inFile)
          },
          subject: id,
          part: { first, all: record.rows },
        },
        now,
      )
    }
    const done = { lost_paths, done: record.rows }
    return changeImport(tx, { id }, done)
  })
}
