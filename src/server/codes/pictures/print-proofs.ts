import { randomUUID } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import {
  type CheckedPrint,
  PROOFS_MAX,
  type PrintProof,
  type PrintReading,
  type ProofVerdict,
} from '#contract/pictures/scan-checks.ts'
import { type Actor, makeAs } from '../../actor.ts'
import type { WorkspaceId } from '../../database/ids.ts'
import type { Db, Tables, Tx } from '../../database/schema.ts'
import { AppError } from '../../http/errors.ts'
import { ownCode } from '../codes-store.ts'
import type { CodeDeps } from '../types.ts'

/**
 * Says which of the account's codes a photo shows, and keeps that with the code whose print it was to be.
 * @throws AppError code_not_found, also for a draft, which cannot have been printed
 */
export function checkPrint(
  { db, clock }: Pick<CodeDeps, 'db' | 'clock'>,
  actor: Actor,
  id: string,
  reading: PrintReading,
): Promise<CheckedPrint> {
  const { workspaceId } = actor
  return makeAs(db, actor, async (tx) => {
    const code = await ownCode(tx, workspaceId, id)
    if (code.saved_at === null) throw new AppError('code_not_found')
    const shown =
      reading.found === 'link' ? await codeAtPath(tx, workspaceId, reading.path) : undefined
    const verdict = verdictOn(reading, shown && shown.id === code.id)
    const row = { id: randomUUID(), code_id: code.id, verdict, at: clock().getTime() }
    await insertProof(tx, row)
    return {
      proof: presentProof(row),
      shown: shown
        ? { id: shown.id, name: shown.name, url: shown.url, isInBin: shown.deleted_at !== null }
        : null,
    }
  })
}

/** `isThis` is undefined if the photo shows none of the account's codes. */
function verdictOn(reading: PrintReading, isThis: boolean | undefined): ProofVerdict {
  if (reading.found === 'nothing') return reading.trouble
  if (isThis === undefined) return 'other-address'
  return isThis ? 'reads' : 'other-code'
}

/** The last checks of each of these codes' prints, the last first. The caller has checked whose the codes are. */
export async function proofsOf(
  db: Db,
  codeIds: readonly string[],
): Promise<Map<string, PrintProof[]>> {
  if (codeIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('print_proofs')
    .selectAll()
    .where('code_id', 'in', [...codeIds])
    .orderBy('at', 'desc')
    .orderBy('id')
    .execute()
  const byCode = Map.groupBy(rows, ({ code_id }) => code_id)
  return new Map([...byCode].map(([id, proofs]) => [id, proofs.map(presentProof)]))
}

function presentProof({ verdict, at }: Selectable<Tables['print_proofs']>): PrintProof {
  return { verdict: verdict as ProofVerdict, checkedAt: new Date(at).toISOString() }
}

/** Keeps a check, and the last PROOFS_MAX of the code. Call `lockWorkspace` before. */
async function insertProof(tx: Tx, row: Selectable<Tables['print_proofs']>): Promise<void> {
  await tx.insertInto('print_proofs').values(row).execute()
  const ofCode = tx.selectFrom('print_proofs').select('id').where('code_id', '=', row.code_id)
  await tx
    .deleteFrom('print_proofs')
    .where('code_id', '=', row.code_id)
    .where('id', 'not in', ofCode.orderBy('at', 'desc').orderBy('id').limit(PROOFS_MAX))
    .execute()
}

/** The account's code to which a path leads or led, also one in the trash. */
async function codeAtPath(db: Db, workspaceId: WorkspaceId, path: string) {
  return db
    .selectFrom('paths')
    .innerJoin('codes', 'codes.id', 'paths.code_id')
    .select(['codes.id', 'codes.name', 'codes.url', 'codes.deleted_at'])
    .where('codes.workspace_id', '=', workspaceId)
    .where((row) =>
      row.or([
        row('paths.key', '=', path.toLowerCase()),
        // On a domain of the account
        row('paths.key', '=', sql<string>`codes.domain_id || '/' || ${path.toLowerCase()}`),
      ]),
    )
    .where('codes.saved_at', 'is not', null)
    .executeTakeFirst()
}
