import { LOGOS_MAX, LOGOS_MAX_BYTES } from '#contract/pictures/artwork.ts'
import { transact } from '../../database/transact.ts'
import { AppError } from '../../http/errors.ts'
import type { ReadLogo } from '../../pictures/uploads/picture-program.ts'
import { lockAccount } from '../codes-store.ts'
import type { CodeDeps } from '../types.ts'
import { codesWithLogo, insertLogo, listLogos, logoRow, removeLogo } from './logos-store.ts'
import { stylesWithLogo } from './styles-store.ts'

/** Keeps a logo, once for each picture. @throws AppError logos_full */
export async function keepLogo(
  { db, clock }: Pick<CodeDeps, 'db' | 'clock'>,
  userId: string,
  name: string,
  picture: ReadLogo,
) {
  const row = logoRow(userId, name, picture, clock())
  const isNew = await transact(db, async (tx) => {
    await lockAccount(tx, userId)
    const kept = await listLogos(tx, userId)
    if (kept.some(({ id }) => id === row.id)) return false
    const bytes = kept.reduce((sum, { size }) => sum + size, row.size)
    if (kept.length >= LOGOS_MAX || bytes > LOGOS_MAX_BYTES) throw new AppError('logos_full')
    await insertLogo(tx, row)
    return true
  })
  return { row, isNew }
}

/** @throws AppError not_found, logo_in_use */
export async function deleteLogo(
  { db }: Pick<CodeDeps, 'db'>,
  userId: string,
  id: string,
): Promise<void> {
  await transact(db, async (tx) => {
    await lockAccount(tx, userId)
    const names = await codesWithLogo(tx, userId, id)
    if (names.length > 0) throw new AppError('logo_in_use', inUse(names))
    const styles = await stylesWithLogo(tx, userId, id)
    if (styles.length > 0) throw new AppError('logo_in_use', inStyles(styles))
    if (!(await removeLogo(tx, userId, id))) throw new AppError('not_found')
  })
}

/** Names some of the codes, so that they can be found. */
function inUse(names: readonly string[]): string {
  const quoted = names.slice(0, 3).map((name) => `“${name}”`)
  const more = names.length > quoted.length ? ' and others' : ''
  return `${quoted.join(', ')}${more} ${names.length === 1 ? 'has' : 'have'} this logo. Choose another one there first.`
}

function inStyles([name, ...more]: readonly string[]): string {
  if (more.length === 0) return `Your style “${name}” has this logo. Delete the style first.`
  return `Your style “${name}” and others have this logo. Delete these styles first.`
}
