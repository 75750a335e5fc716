import { CODE_TAGS_MAX } from '#contract/codes/code-values.ts'
import type { ImportPublish } from '#contract/imports.ts'
import { type Actor, type Origin, serverFor, transactAs } from '../../actor.ts'
import type { Tx } from '../../database/schema.ts'
import { transact } from '../../database/transact.ts'
import { AppError } from '../../http/errors.ts'
import { leaseEnd } from '../../jobs.ts'
import { usedSlots } from '../codes-store.ts'
import { createCodes, lookOfMany, newRow } from '../create-codes.ts'
import type { OldNames } from '../paths-store.ts'
import { columnsOf, courseAfter, importLimit, tooManyCodes, wantedArtwork } from '../rules.ts'
import { refuseForeignLogo } from '../styles/logos.ts'
import { distinctNames } from '../tags/give-tags.ts'
import type { CodeDeps, CodeDomain, CodesRoomDeps } from '../types.ts'
import {
  changeImport,
  checkPaths,
  countRows,
  type ImportRecord,
  ownImport,
  partsOf,
  setLostPath,
  tagsOfRows,
} from './imports-store.ts'
import { settleAgain } from './kept-parts.ts'
import type { KeptParts } from './row-reader.ts'

/** How an import is to be published, as its row keeps it. */
type Wanted = {
  look: ReturnType<typeof columnsOf>
  tags: string[]
  otherPaths: boolean
  /** Absent in imports of an older version, none of which has a row with a problem */
  skipProblems?: boolean
  origin: Origin
}

const wantedOf = ({ wanted }: ImportRecord) => JSON.parse(wanted ?? '{}') as Wanted

/**
 * Writes down that an import is to be published, and how.
 * @throws AppError not_found, import_not_ready, import_has_problems, plan_limit_reached, custom_path_taken,
 * artwork_not_in_plan, code_tags_full, invalid_input
 */
export async function askPublish(
  { db, entitlementsOf, domainOf }: Pick<CodeDeps, 'db' | 'entitlementsOf' | 'domainOf'>,
  actor: Actor,
  id: string,
  { look, tags, otherPaths, skipProblems }: ImportPublish,
): Promise<ImportRecord> {
  const { workspaceId, origin } = actor
  return transactAs(db, actor, async (tx) => {
    const used = await usedSlots(tx, workspaceId)
    const record = await ownImport(tx, workspaceId, id)
    if (record.state !== 'checked') throw new AppError('import_not_ready')
    const ready = record.rows - record.problems
    if (ready === 0 || (record.problems > 0 && !skipProblems)) {
      throw new AppError('import_has_problems')
    }
    const plan = await entitlementsOf(tx, workspaceId)
    const limit = importLimit(plan)
    if (used + ready > limit) {
      throw tooManyCodes('file', plan, { used, wanted: ready, limit })
    }
    await domainOfImport(domainOf, tx, record)
    refuseLostPaths(record.lost_paths, otherPaths)
    await refuseFullCodes(tx, record.id, tags)
    const columns = columnsOf(await lookOfMany(tx, workspaceId, look, plan))
    const wanted: Wanted = { look: columns, tags, otherPaths, skipProblems, origin }
    const asked = await changeImport(
      tx,
      { id: record.id, states: ['checked'] },
      { state: 'publishing', wanted: JSON.stringify(wanted), done: 0, fault: null },
    )
    if (!asked) throw new AppError('import_not_ready')
    return asked
  })
}

/** The domain of an import's codes. @throws AppError import_not_ready, if the account has it no longer */
async function domainOfImport(
  domainOf: CodeDeps['domainOf'],
  tx: Tx,
  { workspace_id, domain, domain_id }: ImportRecord,
): Promise<CodeDomain | null> {
  if (domain === null) return null
  const found = await domainOf(tx, workspace_id, domain)
  if (found?.id === domain_id) return found
  throw new AppError(
    'import_not_ready',
    `You no longer have the domain ${domain}. Choose another one.`,
  )
}

/** @throws AppError custom_path_taken, unless these rows may go without */
function refuseLostPaths(lost: number, otherPaths: boolean): void {
  if (lost === 0 || otherPaths) return
  const urls = lost === 1 ? '1 custom URL isn’t available' : `${lost} custom URLs aren’t available`
  const them = lost === 1 ? 'it' : 'them'
  throw new AppError(
    'custom_path_taken',
    `${urls}. Change ${them}, or let the QR code have a short link only. Nothing was created.`,
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

export type PublishDeps = Pick<
  CodesRoomDeps,
  'db' | 'clock' | 'entitlementsOf' | 'domainOf' | 'record'
>

const PART_ROWS = 500

/**
 * Creates the codes of an import's ready rows, in one transaction: all of them can be seen from its commit on.
 * Before it begins, the rows say which of their custom paths other codes have.
 * @returns the import; undefined if another process has it, or if it was abandoned
 * @throws AppError plan_limit_reached, custom_path_taken, artwork_not_in_plan, tags_full, rate_limited,
 * import_not_ready, invalid_input
 */
export async function publishRows(
  { db, clock, entitlementsOf, domainOf, record: recordEvent }: PublishDeps,
  imported: ImportRecord,
  holder: string,
): Promise<ImportRecord | undefined> {
  const { id, workspace_id: workspaceId, made_by } = imported
  await transact(db, async (tx) => checkPaths(tx, imported, await entitlementsOf(tx, workspaceId)))
  return transactAs(db, serverFor(workspaceId), async (tx) => {
    const now = clock()
    const record = await changeImport(
      tx,
      { id, holder, states: ['publishing'] },
      { state: 'published', published_at: now.getTime(), held_until: leaseEnd(now) },
    )
    if (!record) return undefined
    const { look, tags, otherPaths, origin } = wantedOf(record)
    const plan = await entitlementsOf(tx, workspaceId)
    await settleAgain(tx, record, plan)
    const artwork = look.artwork === null ? null : JSON.parse(look.artwork)
    wantedArtwork({ artwork }, null, plan)
    await refuseForeignLogo(tx, workspaceId, artwork)
    const domain = await domainOfImport(domainOf, tx, record)
    const by = serverFor(workspaceId, { personId: made_by, origin })
    const counts = await countRows(tx, id)
    let { lost_paths } = counts
    refuseLostPaths(lost_paths, otherPaths)
    const all = counts.rows - counts.problems
    // In parts, so that the rows of a large file are never all in memory.
    let first = 0
    for await (const part of partsOf(tx, id, { limit: PART_ROWS, only: 'ready' })) {
      // Rows of an older version have nothing else.
      const kept = part.map((row) => JSON.parse(row.kept ?? '{}') as Partial<KeptParts>)
      const rows = part.map(({ code_id, name, url, path, lost_path }, index) => {
        const { look: own, isPaused, externalId = null } = kept[index] ?? {}
        const row = newRow(by, own ? columnsOf(own) : look, now, {
          id: code_id,
          name,
          url,
          path: lost_path === null ? path : null,
          domain,
        })
        return {
          ...row,
          paused_at: isPaused ? now.getTime() : null,
          external_id: externalId,
          ...courseAfter(row, own ?? {}, plan),
        }
      })
      const tagsOfRow = part.map((row) => distinctNames([...JSON.parse(row.tags), ...tags]))
      await createCodes(
        { record: recordEvent },
        tx,
        by,
        {
          kind: 'file',
          plan,
          rows,
          tagsAt: (index) => tagsOfRow[index] ?? [],
          createdAt: (index) => part[index]?.created_at ?? null,
          oldNamesAt: (index) => kept[index] as OldNames | undefined,
          // Another code was quicker since the paths were looked at.
          onTaken: async (indexes) => {
            lost_paths += indexes.length
            refuseLostPaths(lost_paths, otherPaths)
            const inFile = indexes.flatMap((index) => part[index]?.n ?? [])
            await setLostPath(tx, id, inFile)
          },
          subject: id,
          part: { first, all },
        },
        now,
      )
      first += part.length
    }
    const { losses } = await countRows(tx, id)
    return changeImport(tx, { id }, { lost_paths, losses, done: all })
  })
}
