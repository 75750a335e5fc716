import type { Entitlements } from '../../billing/types.ts'
import type { Db } from '../../database/schema.ts'
import { takenIds } from '../codes-store.ts'
import { keyOn, takenNames } from '../paths-store.ts'
import { hasLogo } from '../styles/logos.ts'
import type { ImportRecord } from './imports-store.ts'
import type { ReadRow } from './row-reader.ts'

/** The names and external ids of earlier rows of a file */
export type Earlier = { keys: Set<string>; ids: Set<string> }

/**
 * Takes from rows what their codes cannot have, and says so: names that are taken or that the plan has none of, ids of
 * other codes, logos of other accounts. A short code in a file is a chosen name, so it
 * needs a plan with custom URLs, too.
 */
export async function settleKept(
  db: Db,
  { user_id, domain_id }: Pick<ImportRecord, 'user_id' | 'domain_id'>,
  rows: readonly ReadRow[],
  { customPaths, hasArtwork }: Entitlements,
  earlier: Earlier = { keys: new Set(), ids: new Set() },
): Promise<void> {
  const shorts = rows.flatMap(({ kept }) => kept.short ?? [])
  const onSite = (name: string) => keyOn(domain_id, name)
  const formers = rows.flatMap(({ kept }) => kept.former)
  const names = [...formers, ...(domain_id === null ? [] : shorts)].map(onSite)
  const taken = await takenNames(db, [...shorts, ...names])
  const idTaken = await takenIds(
    db,
    user_id,
    rows.map(({ kept }) => ({ id: '', external_id: kept.externalId })),
  )
  const logos = new Map<string, boolean>()
  for (const { look } of rows.map(({ kept }) => kept)) {
    const id = look?.artwork?.logo?.id
    if (id && !logos.has(id)) logos.set(id, await hasLogo(db, user_id, id))
  }
  const isFree = (key: string) => customPaths && !taken.has(key) && !earlier.keys.has(key)

  for (const { kept, losses, path } of rows) {
    const { short, former, externalId, look } = kept
    const wanted = [...former]
    if (short !== null && !isFree(short)) {
      kept.short = null
      // On a domain it leads there all the same.
      if (domain_id === null) losses.push(`Its short link “${short}” ${why(customPaths)}`)
      else wanted.unshift(short)
    }
    kept.former = wanted.filter((name) => name !== path && isFree(onSite(name)))
    const lost = wanted.filter((name) => name !== path && !kept.former.includes(name))
    for (const name of lost) losses.push(`Its former custom URL “${name}” ${why(customPaths)}`)
    for (const name of kept.former) earlier.keys.add(onSite(name))
    if (kept.short !== null) earlier.keys.add(kept.short)

    if (externalId !== null && (earlier.ids.has(externalId) || idTaken(externalId))) {
      kept.externalId = null
      losses.push(`Another QR code has its external ID “${externalId}”`)
    }
    if (kept.externalId !== null) earlier.ids.add(kept.externalId)

    const logo = look?.artwork?.logo?.id
    if (look?.artwork && !hasArtwork) {
      kept.look = { ...look, artwork: null }
      losses.push('Your plan has no shapes, logos and frames: its design is kept without them')
    } else if (look?.artwork && logo && !logos.get(logo)) {
      kept.look = { ...look, artwork: { ...look.artwork, logo: null } }
      losses.push('Its logo isn’t in your account: upload it first to keep it')
    }
  }
}

const why = (customPaths: boolean) => (customPaths ? 'is taken' : 'needs a plan with custom URLs')
