import type { BinnedCode, QrCode } from '#contract/codes.ts'
import type { ImportEntry } from '#contract/imports.ts'
import type { KeptLook } from '#contract/pictures/looks.ts'
import type { PrintProof } from '#contract/pictures/scan-checks.ts'
import type { Tag } from '#contract/tags.ts'
import type { Design } from '#qr/symbol/look.ts'
import type { Db } from '../database/schema.ts'
import { listImports } from './imports/imports-store.ts'
import { presentImport } from './imports/present-import.ts'
import { listBin, listedAfter } from './lists/code-lists.ts'
import { formerPathsOf } from './paths-store.ts'
import { proofsOf } from './pictures/print-proofs.ts'
import { presentBinned, presentCode, savedDesign } from './presenter.ts'
import { findLogo, listLogos, logoFile } from './styles/logos-store.ts'
import { presentStyle } from './styles/styles.ts'
import { listStyles } from './styles/styles-store.ts'
import { presentTag } from './tags/tags.ts'
import { codesByTag, listTags, tagsOf } from './tags/tags-store.ts'

/** Codes in one part of an archive. */
const PART = 100

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

/** A listed code with all its names, the checks of its prints and its picture's design. */
export type ExportedCode = {
  code: QrCode
  formerPaths: string[]
  printChecks: PrintProof[]
  design: Design
}

/** A logo, and the name of the file that it came in. */
export type ExportedLogo = { id: string; name: string }

/** The next codes of an account's list, oldest first, for an archive of them all. */
export async function exportedCodes(
  db: Db,
  { userId, publicUrl, last }: { userId: string; publicUrl: string; last: QrCode | undefined },
): Promise<ExportedCode[]> {
  const after = last && { createdAt: Date.parse(last.createdAt), id: last.id }
  const rows = await listedAfter(db, userId, after, PART)
  const ids = idsOf(rows)
  const [former, proofs] = [await formerPathsOf(db, ids), await proofsOf(db, ids)]
  const tagsBy = await tagsOf(db, userId, ids)
  return rows.map((row) => ({
    code: presentCode(row, publicUrl, tagsBy(row)),
    formerPaths: former.get(row.id) ?? [],
    printChecks: proofs.get(row.id) ?? [],
    design: savedDesign(row, publicUrl),
  }))
}

/** The styles that an account keeps. */
export async function exportedStyles(db: Db, userId: string): Promise<KeptLook[]> {
  return (await listStyles(db, userId)).map(presentStyle)
}

/** The files of codes that an account sent lately. */
export async function exportedImports(db: Db, userId: string): Promise<ImportEntry[]> {
  return (await listImports(db, userId)).map(presentImport)
}

/** The tags of an account. */
export async function exportedTags(db: Db, userId: string): Promise<Tag[]> {
  const codes = await codesByTag(db, userId)
  return (await listTags(db, userId)).map((row) => presentTag(row, codes))
}

/** The logos that an account keeps. */
export async function exportedLogos(db: Db, userId: string): Promise<ExportedLogo[]> {
  return (await listLogos(db, userId)).map(({ id, name }) => ({ id, name }))
}

/** A logo's PNG; undefined if it was deleted in between. */
export async function exportedLogoFile(db: Db, id: string): Promise<Uint8Array | undefined> {
  const picture = await findLogo(db, id)
  return picture && logoFile(picture)
}

/** The codes in an account's bin. */
export async function exportedBin(
  db: Db,
  userId: string,
  publicUrl: string,
): Promise<BinnedCode[]> {
  const { rows } = await listBin(db, userId)
  const tagsBy = await tagsOf(db, userId, idsOf(rows))
  return rows.map((row) => presentBinned(row, publicUrl, tagsBy(row)))
}
