import type { Db, Tx } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { forgetAnswers } from '../http/idempotency-record.ts'
import { removeAny } from './codes-store.ts'
import { removeImports } from './imports/imports-store.ts'
import { allKeysOf, releaseKeys, reserveKeys } from './paths-store.ts'
import { removeLogos } from './styles/logos-store.ts'
import { removeLooks } from './styles/styles-store.ts'
import { removeTags } from './tags/tags-store.ts'
import { forgetUsage } from './usage-store.ts'

/** Codes in one transaction, so that none holds the database for long. */
const BATCH = 200

type Deps = {
  db: Db
  /** Removes the recorded scans of these codes, and keeps nobody's name. */
  forgetScans: (tx: Tx, codes: { id: string; userId: null }[]) => Promise<void>
  /** Called after each commit with the names whose target has changed. */
  onCodeChanged: (keys: string[]) => void
}

/**
 * Removes all codes of an account for good, with their scans. Their names stay reserved: what is
 * printed leads to the page for unknown codes, and never to somebody else's link. It can be repeated.
 */
export async function purgeCodes({ db, forgetScans, onCodeChanged }: Deps, userId: string) {
  // First: one that is being published would make codes meanwhile.
  await removeImports(db, userId)
  for (;;) {
    const { removed, keys } = await transact(db, async (tx) => {
      const removed = await removeAny(tx, userId, BATCH)
      const idsOf = (drafts: boolean) =>
        removed.filter(({ isDraft }) => isDraft === drafts).map(({ id }) => id)
      const keys = await allKeysOf(tx, idsOf(false))
      await releaseKeys(tx, idsOf(true))
      await reserveKeys(tx, idsOf(false))
      await forgetScans(
        tx,
        idsOf(false).map((id) => ({ id, userId: null })),
      )
      return { removed: removed.length, keys }
    })
    onCodeChanged(keys)
    if (removed < BATCH) break
  }
  await removeLooks(db, userId)
  await removeLogos(db, userId)
  await removeTags(db, userId)
  await forgetAnswers(db, userId)
  await forgetUsage(db, userId)
}
