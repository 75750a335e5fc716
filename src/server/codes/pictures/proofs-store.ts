import type { Selectable } from 'kysely'
import { PROOFS_MAX, type PrintProof, type ProofVerdict } from '#contract/pictures/print-proofs.ts'
import type { Db, PrintProofsTable, Tx } from '../../database/schema.ts'

/** What is kept of the last checks of a code's prints, the last first. The caller has checked whose it is. */
export async function listProofs(db: Db, codeId: string): Promise<PrintProof[]> {
  return (await lastProofs(db, codeId)).map(presentProof)
}

async function lastProofs(db: Db, codeId: string) {
  return db
    .selectFrom('print_proofs')
    .selectAll()
    .where('code_id', '=', codeId)
    .orderBy('at', 'desc')
    .orderBy('id')
    .limit(PROOFS_MAX)
    .execute()
}

/** The same for several codes at once; a code without a check is not in it. */
export async function proofsOf(
  db: Db,
  codeIds: readonly string[],
): Promise<Map<string, PrintProof[]>> {
  const proofs = new Map<string, PrintProof[]>()
  if (codeIds.length === 0) return proofs
  const rows = await db
    .selectFrom('print_proofs')
    .selectAll()
    .where('code_id', 'in', [...codeIds])
    .orderBy('at', 'desc')
    .orderBy('id')
    .execute()
  for (const row of rows) {
    proofs.set(row.code_id, [...(proofs.get(row.code_id) ?? []), presentProof(row)])
  }
  return proofs
}

export function presentProof({ verdict, at }: Selectable<PrintProofsTable>): PrintProof {
  return { verdict: verdict as ProofVerdict, checkedAt: new Date(at).toISOString() }
}

/** Keeps a check, and the last PROOFS_MAX of the code. Call `lockAccount` before. */
export async function insertProof(tx: Tx, row: Selectable<PrintProofsTable>): Promise<void> {
  await tx.insertInto('print_proofs').values(row).execute()
  const kept = (await lastProofs(tx, row.code_id)).map(({ id }) => id)
  await tx
    .deleteFrom('print_proofs')
    .where('code_id', '=', row.code_id)
    .where('id', 'not in', kept)
    .execute()
}

/** The account's code to which a path leads or led, also one in the bin. */
export async function codeAtPath(db: Db, userId: string, path: string) {
  return db
    .selectFrom('paths')
    .innerJoin('codes', 'codes.id', 'paths.code_id')
    .select(['codes.id', 'codes.name', 'codes.url', 'codes.deleted_at'])
    .where('paths.key', '=', path.toLowerCase())
    .where('codes.user_id', '=', userId)
    .where('codes.saved_at', 'is not', null)
    .executeTakeFirst()
}
