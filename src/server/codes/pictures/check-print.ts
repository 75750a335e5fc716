import { randomUUID } from 'node:crypto'
import type { CheckedPrint, PrintReading, ProofVerdict } from '#contract/pictures/print-proofs.ts'
import { transact } from '../../database/transact.ts'
import { AppError } from '../../http/errors.ts'
import type { LifecycleDeps } from '../change-code.ts'
import { ownCode } from '../codes-store.ts'
import { lockAccount } from '../usage-store.ts'
import { codeAtPath, insertProof, presentProof } from './proofs-store.ts'

/**
 * Says which of the account's codes a photo shows, and keeps that with the code whose print it was to be.
 * @throws AppError code_not_found, also for a draft, which nobody has printed
 */
export async function checkPrint(
  { db, clock }: Pick<LifecycleDeps, 'db' | 'clock'>,
  userId: string,
  id: string,
  reading: PrintReading,
): Promise<CheckedPrint> {
  return transact(db, async (tx) => {
    await lockAccount(tx, userId)
    const code = await ownCode(tx, userId, id)
    if (code.saved_at === null) throw new AppError('code_not_found')
    const shown = reading.found === 'link' ? await codeAtPath(tx, userId, reading.path) : undefined
    const verdict = verdictOn(reading, shown && shown.id === code.id)
    const row = { id: randomUUID(), code_id: code.id, verdict, at: clock().getTime() }
    await insertProof(tx, row)
    return {
      proof: presentProof(row),
      shown: shown
        ? {
            ...{ id: shown.id, name: shown.name, url: shown.url },
            isInBin: shown.deleted_at !== null,
          }
        : null,
    }
  })
}

/** `isThis` is undefined where the photo shows none of the account's codes. */
function verdictOn(reading: PrintReading, isThis: boolean | undefined): ProofVerdict {
  if (reading.found === 'nothing') return reading.trouble
  if (isThis === undefined) return 'other-address'
  return isThis ? 'reads' : 'other-code'
}
