import { hash } from 'node:crypto'
import { deflateSync, inflateSync } from 'node:zlib'
import { LOGOS_MAX, LOGOS_MAX_BYTES } from '#contract/pictures/artwork.ts'
import type { Artwork, LogoPicture } from '#qr/artwork/artwork.ts'
import { pixelsPng } from '#qr/formats/pixels-png.ts'
import { type Actor, transactAs } from '../../actor.ts'
import type { WorkspaceId } from '../../database/ids.ts'
import type { Db, Tables, Tx } from '../../database/schema.ts'
import { changesRow } from '../../database/transact.ts'
import { AppError, invalidInput } from '../../http/errors.ts'
import type { ReadLogo } from '../../pictures/uploads/picture-program.ts'
import type { CodeDeps } from '../types.ts'
import { stylesWithLogo } from './styles-store.ts'

export type LogoRow = Omit<Tables['logos'], 'data'>

const columns = [
  ...(['workspace_id', 'id', 'name', 'width', 'height'] as const),
  ...(['reach', 'size', 'created_at'] as const),
]

/** 192 bits: no two pictures have the same by chance. */
const ID_LENGTH = 32

/** A row for a picture. The same pixels have the same id, whatever file they came in. */
export function logoRow(
  workspaceId: WorkspaceId,
  name: string,
  logo: ReadLogo,
  now: Date,
): Tables['logos'] {
  const { width, height, reach, data } = logo
  const packed = deflateSync(data)
  const digest = hash(
    'sha256',
    Buffer.concat([Buffer.from(`${width}x${height} `), data]),
    'base64url',
  )
  return {
    workspace_id: workspaceId,
    id: digest.slice(0, ID_LENGTH),
    name,
    width,
    height,
    reach,
    size: packed.length,
    data: packed,
    created_at: now.getTime(),
  }
}

/** The account's logos, newest first. */
export async function listLogos(db: Db, workspaceId: WorkspaceId): Promise<LogoRow[]> {
  return db
    .selectFrom('logos')
    .select(columns)
    .where('workspace_id', '=', workspaceId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(LOGOS_MAX)
    .execute()
}

/** @throws AppError invalid_input if the artwork names a logo that the account does not have */
export async function refuseForeignLogo(
  tx: Tx,
  workspaceId: WorkspaceId,
  artwork: Artwork | null | undefined,
): Promise<void> {
  const id = artwork?.logo?.id
  if (id === undefined || (await hasLogo(tx, workspaceId, id))) return
  throw invalidInput([
    { path: 'artwork.logo', message: 'This logo isn’t in your account. Upload it again.' },
  ])
}

export async function hasLogo(db: Db, workspaceId: WorkspaceId, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('logos')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * A logo's pixels by its id, whichever account has it: the id is made from the picture, so that only those who have it know it.
 * Undefined if no account keeps it.
 */
export async function findLogo(db: Db, id: string): Promise<LogoPicture | undefined> {
  const row = await db
    .selectFrom('logos')
    .select(['width', 'height', 'reach', 'data'])
    .where('id', '=', id)
    .limit(1)
    .executeTakeFirst()
  if (!row) return undefined
  const { width, height, reach, data } = row
  return { width, height, reach, data: new Uint8ClampedArray(inflateSync(data)) }
}

/** A logo's PNG: its pixels, and nothing else of the file that was sent. */
export const logoFile = (picture: LogoPicture): Promise<Uint8Array> =>
  pixelsPng(picture, { deflate: (bytes) => deflateSync(bytes, { level: 3 }) })

/** Codes of the account, those in the trash too, that have the logo: some of their names. */
async function codesWithLogo(db: Db, workspaceId: WorkspaceId, id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('codes')
    .select('name')
    .where('workspace_id', '=', workspaceId)
    .where('saved_at', 'is not', null)
    // Its _ stands for any character, which makes no two ids alike.
    .where('artwork', 'like', `%"id":"${id}"%`)
    .orderBy('created_at', 'desc')
    .limit(4)
    .execute()
  return rows.map(({ name }) => name)
}

/** Keeps a logo, once for each picture. @throws AppError logos_full */
export async function keepLogo(
  { db, clock }: Pick<CodeDeps, 'db' | 'clock'>,
  actor: Actor,
  name: string,
  picture: ReadLogo,
) {
  const row = logoRow(actor.workspaceId, name, picture, clock())
  const isNew = await transactAs(db, actor, async (tx) => {
    const kept = await listLogos(tx, actor.workspaceId)
    if (kept.some(({ id }) => id === row.id)) return false
    const bytes = kept.reduce((sum, { size }) => sum + size, row.size)
    if (kept.length >= LOGOS_MAX || bytes > LOGOS_MAX_BYTES) throw new AppError('logos_full')
    await tx.insertInto('logos').values(row).execute()
    return true
  })
  return { row, isNew }
}

/** @throws AppError not_found, logo_in_use */
export async function deleteLogo(db: Db, actor: Actor, id: string): Promise<void> {
  const { workspaceId } = actor
  await transactAs(db, actor, async (tx) => {
    const names = await codesWithLogo(tx, workspaceId, id)
    if (names.length > 0) throw new AppError('logo_in_use', inUse(names))
    const styles = await stylesWithLogo(tx, workspaceId, id)
    if (styles.length > 0) throw new AppError('logo_in_use', inStyles(styles))
    const isDeleted = await changesRow(
      tx.deleteFrom('logos').where('workspace_id', '=', workspaceId).where('id', '=', id),
    )
    if (!isDeleted) throw new AppError('not_found')
  })
}

/** Names some of the codes, so that they can be found. */
function inUse(names: readonly string[]): string {
  const quoted = names.slice(0, 3).map((name) => `“${name}”`)
  const more = names.length > quoted.length ? ' and others' : ''
  return `${quoted.join(', ')}${more} ${names.length === 1 ? 'has' : 'have'} this logo. Choose another one there first.`
}

function inStyles([name, ...more]: readonly string[]): string {
  if (more.length === 0) return `Your design “${name}” uses this logo. Delete the design first.`
  return `Your design “${name}” and others use this logo. Delete those designs first.`
}
