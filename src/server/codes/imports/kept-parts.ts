import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Entitlements } from '../../billing/types.ts'
import type { Db, Tx } from '../../database/schema.ts'
import { takenIds } from '../codes-store.ts'
import { keyOn, takenNames } from '../paths-store.ts'
import { hasLogo } from '../styles/logos.ts'
import { type ImportRecord, partsOf, pathsOfRows, updateRow } from './imports-store.ts'
import type { KeptParts } from './row-reader.ts'

type Account = Pick<ImportRecord, 'workspace_id' | 'domain_id'>
type Row = { kept: KeptParts; losses: string[]; path: string | null }

/** The names and external ids of other rows of a file */
export type Others = { keys: Set<string>; ids: Set<string> }

/**
 * Takes from rows what their codes cannot have, and says so: names that are taken or that the plan has none of, ids of
 * other codes, logos of other accounts. A short code in a file is a chosen name, so it
 * needs a plan with custom URLs, too.
 */
export async function settleKept(
  db: Db,
  { workspace_id, domain_id }: Account,
  rows: readonly Row[],
  { customPaths, hasArtwork, hasRules }: Entitlements,
  others: Others,
): Promise<void> {
  const shorts = rows.flatMap(({ kept }) => kept.short ?? [])
  const onDomain = (name: string) => keyOn(domain_id, name)
  const formers = rows.flatMap(({ kept }) => kept.former)
  const names = [...formers, ...(domain_id === null ? [] : shorts)].map(onDomain)
  const taken = await takenNames(db, [...shorts, ...names])
  // The first row of the file with an external ID keeps it.
  const ids = new Set(rows.map(({ kept }) => kept.externalId))
  const asked = [...ids].map((external_id) => ({ id: '', external_id }))
  const idTaken = await takenIds(db, workspace_id, asked)
  const logos = new Map<string, boolean>()
  for (const { look } of rows.map(({ kept }) => kept)) {
    const id = look?.artwork?.logo?.id
    if (id && !logos.has(id)) logos.set(id, await hasLogo(db, workspace_id, id))
  }
  const isFree = (key: string) => customPaths && !taken.has(key) && !others.keys.has(key)

  for (const { kept, losses, path } of rows) {
    const { short, former, externalId, look } = kept
    const wanted = [...former]
    if (short !== null && !isFree(short)) {
      kept.short = null
      // On a domain it leads there all the same.
      if (domain_id === null) losses.push(`Its short link “${short}” ${why(customPaths)}`)
      else wanted.unshift(short)
    }
    kept.former = wanted.filter((name) => name !== path && isFree(onDomain(name)))
    const lost = wanted.filter((name) => name !== path && !kept.former.includes(name))
    for (const name of lost) losses.push(`Its former custom URL “${name}” ${why(customPaths)}`)
    for (const name of kept.former) others.keys.add(onDomain(name))
    if (kept.short !== null) others.keys.add(kept.short)

    if (externalId !== null && (others.ids.has(externalId) || idTaken(externalId))) {
      kept.externalId = null
      losses.push(`Another QR code has its external ID “${externalId}”`)
    }
    if (kept.externalId !== null) others.ids.add(kept.externalId)

    if (look && look.rules?.length > 0 && !hasRules) {
      look.rules = []
      losses.push('Your plan has no rules: it leads to its destination only')
    }
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

const PART_ROWS = 500

/**
 * Settles the ready rows of an import once more: beside the custom paths of the whole file, and with what the account
 * and its plan have now.
 */
export async function settleAgain(
  tx: Tx,
  record: Account & Pick<ImportRecord, 'id'>,
  plan: Entitlements,
): Promise<void> {
  const others: Others = { keys: new Set(), ids: new Set() }
  let isFirst = true
  for await (const part of partsOf(tx, record.id, { limit: PART_ROWS, only: 'kept' })) {
    const paths = isFirst ? await pathsOfRows(tx, record.id) : []
    for (const path of paths) others.keys.add(keyOn(record.domain_id, path))
    isFirst = false
    const rows = part.map(({ path, kept, losses }) => ({
      path,
      kept: JSON.parse(kept ?? '') as KeptParts,
      losses: JSON.parse(losses ?? '[]') as string[],
    }))
    const before = rows.map(({ losses }) => losses.length)
    await settleKept(tx, record, rows, plan, others)
    for (const [index, { kept, losses }] of rows.entries()) {
      const row = part[index]
      if (!row || losses.length === before[index]) continue
      const texts = { kept: JSON.stringify(kept), losses: JSON.stringify(losses) }
      await updateRow(tx, row, texts)
    }
    // A redirect waits no longer than for one part.
    await nextTurn()
  }
}
