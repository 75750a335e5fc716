import type { BinnedCode, QrCode } from '#contract/codes.ts'
import type { ImportEntry } from '#contract/imports.ts'
import type { KeptLook } from '#contract/pictures/looks.ts'
import type { PrintProof } from '#contract/pictures/print-proofs.ts'
import type { Tag } from '#contract/tags.ts'
import type { Design } from '#qr/symbol/look.ts'
import type { Db } from '../database/schema.ts'
import { listDeleted, listedAfter } from './codes-store.ts'
import { listImports } from './imports/imports-store.ts'
import { presentImport } from './imports/present-import.ts'
import { formerPathsOf } from './paths-store.ts'
import { savedDesign } from './pictures/code-look.ts'
import { proofsOf } from './pictures/proofs-store.ts'
import { presentBinned, presentCode, presentLook, presentTag } from './presenter.ts'
import { logoFile } from './styles/logo-file.ts'
import { findLogo, listLogos } from './styles/logos-store.ts'
import { listLooks } from './styles/styles-store.ts'
import { codesByTag, listTags, tagsOf } from './tags/tags-store.ts'

/** Codes in one part of an archive. */
const PART = 100

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

/** A listed code with all its names, the checks of its prints and its picture's design. */
export type LeavingCode = {
  code: QrCode
  formerPaths: string[]
  printChecks: PrintProof[]
  design: Design
}

/** A logo, and the name of the file that it came in. */
export type LeavingLogo = { id: string; name: string }

/** The next codes of an account's list, oldest first, for an archive of them all. */
export async function leavingCodes(
  db: Db,
  { userId, publicUrl, last }: { userId: string; publicUrl: string; last: QrCode | undefined },
): Promise<LeavingCode[]> {
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
export async function leavingLooks(db: Db, userId: string): Promise<KeptLook[]> {
  return (await listLooks(db, userId)).map(presentLook)
}

/** The files of codes that an account sent lately. */
export async function leavingImports(db: Db, userId: string): Promise<ImportEntry[]> {
  return (await listImports(db, userId)).map(presentImport)
}

/** The tags of an account. */
export async function leavingTags(db: Db, userId: string): Promise<Tag[]> {
  const codes = await codesByTag(db, userId)
  return (await listTags(db, userId)).map((row) => presentTag(row, codes))
}

/** The logos that an account keeps. */
export async function leavingLogos(db: Db, userId: string): Promise<LeavingLogo[]> {
  return (await listLogos(db, userId)).map(({ id, name }) => ({ id, name }))
}

/** A logo's PNG; undefined where it was deleted meanwhile. */
export async function leavingLogoFile(db: Db, id: string): Promise<Uint8Array | undefined> {
  const picture = await findLogo(db, id)
  return picture && logoFile(picture)
}

/** The codes in an account's bin. */
export async function leavingBin(db: Db, userId: string, publicUrl: string): Promise<BinnedCode[]> {
  const rows = await listDeleted(db, userId)
  const tagsBy = await tagsOf(db, userId, idsOf(rows))
  return rows.map((row) => presentBinned(row, publicUrl, tagsBy(row)))
}
