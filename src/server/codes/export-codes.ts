import type { QrCode } from '#contract/codes/codes.ts'
import type { WorkspaceId } from '../database/ids.ts'
import type { Db } from '../database/schema.ts'
import { listedAfter, listTrash } from './code-lists.ts'
import { presentImport } from './imports/import-presenter.ts'
import { listImports } from './imports/imports-store.ts'
import { formerPathsOf } from './paths-store.ts'
import { proofsOf } from './pictures/print-proofs.ts'
import { presentCode, presentDeleted, savedDesign } from './presenter.ts'
import { findLogo, listLogos, logoFile } from './styles/logos.ts'
import { presentStyle } from './styles/styles.ts'
import { listStyles } from './styles/styles-store.ts'
import { presentTag } from './tags/tags.ts'
import { codesByTag, listTags, tagsOf } from './tags/tags-store.ts'

/** Codes in one part of an archive. */
const PART = 100

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

/** Reads codes, and what belongs to them, for the archive of an account. */
export function codesToExport(db: Db, publicUrl: string) {
  return {
    /** The next codes of an account's list, oldest first, with their former names, checks of prints and designs. */
    codesAfter: async (workspaceId: WorkspaceId, last: { code: QrCode } | undefined) => {
      const after = last && { createdAt: Date.parse(last.code.createdAt), id: last.code.id }
      const rows = await listedAfter(db, workspaceId, after, PART)
      const ids = idsOf(rows)
      const [former, proofs] = [await formerPathsOf(db, ids), await proofsOf(db, ids)]
      const tagsBy = await tagsOf(db, workspaceId, ids)
      return rows.map((row) => ({
        code: presentCode(row, publicUrl, tagsBy(row)),
        domainId: row.domain_id,
        formerPaths: former.get(row.id) ?? [],
        printChecks: proofs.get(row.id) ?? [],
        design: savedDesign(row, publicUrl),
      }))
    },
    binned: async (workspaceId: WorkspaceId) => {
      const { rows } = await listTrash(db, workspaceId)
      const tagsBy = await tagsOf(db, workspaceId, idsOf(rows))
      return rows.map((row) => presentDeleted(row, publicUrl, tagsBy(row)))
    },
    stylesOf: async (workspaceId: WorkspaceId) =>
      (await listStyles(db, workspaceId)).map(presentStyle),
    importsOf: async (workspaceId: WorkspaceId) =>
      (await listImports(db, workspaceId)).map(presentImport),
    tagsOf: async (workspaceId: WorkspaceId) => {
      const codes = await codesByTag(db, workspaceId)
      return (await listTags(db, workspaceId)).map((row) => presentTag(row, codes))
    },
    logosOf: async (workspaceId: WorkspaceId) =>
      (await listLogos(db, workspaceId)).map(({ id, name }) => ({ id, name })),
    /** A logo's PNG; undefined if it was deleted in between. */
    logoFile: async (id: string) => {
      const picture = await findLogo(db, id)
      return picture && logoFile(picture)
    },
  }
}
