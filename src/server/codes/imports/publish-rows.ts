import { sql } from 'kysely'
import type { Tx } from '../../database/schema.ts'
import { transact } from '../../database/transact.ts'
import { count } from '../../http/limits/counts-store.ts'
import { type LifecycleDeps, refuseForeignLogo } from '../change-code.ts'
import { claimShortCodes } from '../paths-store.ts'
import { expiryOf, fileTooLong, importLimit, namesUsedUp, wantedArtwork } from '../rules.ts'
import { tagsNamed } from '../tags/give-tags.ts'
import { distinctNames } from '../tags/tag-rules.ts'
import { lockAccount, takeSlot } from '../usage-store.ts'
import { refuseLostPaths, rowTags, type Wanted } from './ask-publish.ts'
import { countLostPaths, type ImportRecord, keepImport, setShortCode } from './imports-store.ts'
import { TAKEN_PATH } from './row-reader.ts'

export type SwitchDeps = Pick<LifecycleDeps, 'db' | 'clock' | 'entitlementsOf'> & {
  /** Writes into the account's history what somebody asked for earlier. */
  recordLater: (userId: string, origin: Wanted['origin']) => LifecycleDeps['record']
}

/**
 * Makes codes of all rows of an import, in one transaction: until it has committed nobody sees one, and
 * then everybody sees all. The rows are in the database, so that it is a few statements, however many
 * there are.
 * @returns the import; undefined where it is another process's by now, or abandoned
 * @throws AppError plan_limit_reached, custom_path_taken, artwork_not_in_plan, tags_full, rate_limited, invalid_input
 */
export async function switchImport(
  deps: SwitchDeps,
  { id, user_id: userId }: ImportRecord,
  holder: string,
): Promise<ImportRecord | undefined> {
  const { db, clock } = deps
  const tagLists = await rowTags(db, id)
  return transact(db, async (tx) => {
    const used = await lockAccount(tx, userId)
    const now = clock()
    const change = { state: 'published' as const, published_at: now.getTime() }
    const record = await keepImport(tx, { id, holder, state: 'publishing' }, change, now)
    if (!record) return undefined
    const wanted = JSON.parse(record.wanted ?? '{}') as Wanted
    const plan = await deps.entitlementsOf(tx, userId)
    const artwork = wanted.look.artwork === null ? null : JSON.parse(wanted.look.artwork)
    wantedArtwork({ artwork }, null, plan)
    await refuseForeignLogo(tx, userId, artwork)
    if (!(await takeSlot(tx, userId, importLimit(plan), record.rows))) {
      throw fileTooLong(plan, used, record.rows)
    }
    const paths = await claimPaths(tx, id, now)
    const lost = await countLostPaths(tx, id)
    refuseLostPaths(lost, wanted)
    await count(tx, 'imported-names', userId, now, {
      times: record.rows + paths,
      message: namesUsedUp,
    })
    await claimShortLinks(tx, record, now)
    await insertCodes(tx, record, { look: wanted.look, expiresAt: expiryOf(plan, now), now })
    await giveTags(tx, record, { all: wanted.tags, lists: tagLists }, now)
    await deps.recordLater(userId, wanted.origin)(tx, 'code-import-made', id)
    await tx.updateTable('imports').set({ lost_paths: lost }).where('id', '=', id).execute()
    return { ...record, lost_paths: lost }
  })
}

/** Whether the name in this column of a row is another code's. */
const isOfOther = (column: 'path' | 'short_code') =>
  sql<boolean>`not exists (select 1 from paths
    where paths.key = ${sql.ref(`import_rows.${column}`)} and paths.code_id = import_rows.code_id)`

/** Claims the custom paths; a row whose path somebody else took meanwhile loses it. Answers how many it got. */
async function claimPaths(tx: Tx, id: string, now: Date): Promise<number> {
  const rows = tx
    .selectFrom('import_rows')
    .where('import_id', '=', id)
    .where('path', 'is not', null)
    .where('lost_path', 'is', null)
  const { wanted } = await rows
    .select((row) => row.fn.countAll().as('wanted'))
    .executeTakeFirstOrThrow()
  if (Number(wanted) === 0) return 0
  const { numInsertedOrUpdatedRows: claimed = 0n } = await tx
    .insertInto('paths')
    .columns(['key', 'code_id', 'kind', 'since'])
    .expression(
      rows
        .select((row) => [
          row.ref('path').$notNull().as('key'),
          'code_id',
          sql<'custom'>`'custom'`.as('kind'),
          sql<number>`cast(${now.getTime()} as bigint)`.as('since'),
        ])
        // In one order: two imports that want the same paths do not wait for each other for ever.
        .orderBy('path'),
    )
    .onConflict((conflict) => conflict.column('key').doNothing())
    .executeTakeFirstOrThrow()
  if (claimed === BigInt(wanted)) return Number(claimed)
  await tx
    .updateTable('import_rows')
    .set({ lost_path: TAKEN_PATH })
    .where('import_id', '=', id)
    .where('path', 'is not', null)
    .where('lost_path', 'is', null)
    .where(isOfOther('path'))
    .execute()
  return Number(claimed)
}

/** Claims the short codes; one that somebody has by now, which hardly ever happens, is made again. */
async function claimShortLinks(tx: Tx, { id, rows }: ImportRecord, now: Date): Promise<void> {
  const { numInsertedOrUpdatedRows: claimed = 0n } = await tx
    .insertInto('paths')
    .columns(['key', 'code_id', 'kind', 'since'])
    .expression(
      tx
        .selectFrom('import_rows')
        .select([
          'short_code as key',
          'code_id',
          sql<'short'>`'short'`.as('kind'),
          sql<number>`cast(${now.getTime()} as bigint)`.as('since'),
        ])
        .where('import_id', '=', id)
        .orderBy('short_code'),
    )
    .onConflict((conflict) => conflict.column('key').doNothing())
    .executeTakeFirstOrThrow()
  if (claimed === BigInt(rows)) return
  const without = await tx
    .selectFrom('import_rows')
    .select(['n', 'code_id'])
    .where('import_id', '=', id)
    .where(isOfOther('short_code'))
    .execute()
  const made = await claimShortCodes(
    tx,
    without.map(({ code_id }) => code_id),
    now,
  )
  for (const { n, code_id } of without) await setShortCode(tx, id, n, made.get(code_id) ?? '')
}

type Shared = { look: Wanted['look']; expiresAt: number | null; now: Date }

/** In the list, which begins with the newest code, the first row comes first: each is a millisecond older. */
async function insertCodes(
  tx: Tx,
  { id, user_id }: ImportRecord,
  { look, expiresAt, now }: Shared,
): Promise<void> {
  const at = now.getTime()
  const text = (value: string | null) => sql<string>`cast(${value} as text)`
  const whole = (value: number | null) => sql<number>`cast(${value} as bigint)`
  await tx
    .insertInto('codes')
    .columns([
      ...(['id', 'name', 'url', 'short_code', 'vanity_url', 'created_at', 'saved_at'] as const),
      ...(['user_id', 'style', 'foreground_color', 'background_color', 'ecc', 'compact'] as const),
      ...(['artwork', 'expires_at', 'version'] as const),
    ])
    .expression(
      tx
        .selectFrom('import_rows')
        .select([
          ...(['code_id', 'name', 'url', 'short_code'] as const),
          sql`case when lost_path is null then path end`.as('vanity_url'),
          sql`${whole(at)} - n`.as('created_at'),
          whole(at).as('saved_at'),
          text(user_id).as('user_id'),
          text(look.style).as('style'),
          text(look.foreground_color).as('foreground_color'),
          text(look.background_color).as('background_color'),
          text(look.ecc).as('ecc'),
          sql<number>`cast(${look.compact} as integer)`.as('compact'),
          text(look.artwork).as('artwork'),
          whole(expiresAt).as('expires_at'),
          sql<number>`1`.as('version'),
        ])
        .where('import_id', '=', id)
        .orderBy('n') as never,
    )
    .execute()
}

type Tags = { all: readonly string[]; lists: readonly string[][] }

/** One statement, code by code: 200,000 links tag by tag would hold SQLite twice as long. */
async function giveTags(tx: Tx, record: ImportRecord, { all, lists }: Tags, now: Date) {
  const ofAll = distinctNames(all)
  const names = distinctNames([...ofAll, ...lists.flat()])
  if (names.length === 0) return
  const ids = await tagsNamed(tx, record.user_id, names, now)
  const general = ids.slice(0, ofAll.length)
  const rows = tx
    .selectFrom('import_rows')
    .innerJoin('tags', (join) => join.on('tags.id', 'in', ids))
    .select(['code_id', 'tags.id'])
    .where('import_id', '=', record.id)
    .where((row) =>
      row.or([
        ...(general.length > 0 ? [row('tags.id', 'in', general)] : []),
        // Each stands between commas. Both engines have this function; LIKE takes longer.
        sql<boolean>`replace(import_rows.folded, ',' || tags.folded || ',', '') <> import_rows.folded`,
      ]),
    )
    .orderBy('code_id')
  await tx
    .insertInto('code_tags')
    .columns(['code_id', 'tag_id'])
    .expression(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
