import { type CodeChange, codeChange } from '#contract/codes.ts'
import {
  changeCode,
  deleteCode,
  type LifecycleDeps,
  makeDraft,
} from '../../src/server/codes/lifecycle.ts'
import type { Db } from '../../src/server/database/schema.ts'
import { transact } from '../../src/server/database/transact.ts'
import { instantOf } from './calendar.ts'
import { Dice } from './dice.ts'
import type { Life } from './past.ts'
import type { PlannedCode } from './planned-code.ts'

/** What short codes are made of. */
const LETTERS = 'bcdfghjkmnpqrstvwxz23456789'
const SHORT_CODE_LENGTH = 7

/** The day's hours at which people make codes (UTC). */
const OPENING = [8, 17] as const
const CLOSING = 17.5

export type DemoCode = { id: string; life: Life; planned: PlannedCode }

/** Makes a code by the product's own steps, each on its day; what it is scanned comes later. */
export async function makeCode(
  deps: Omit<LifecycleDeps, 'clock'>,
  userId: string,
  planned: PlannedCode,
): Promise<DemoCode> {
  const dice = new Dice(`code ${planned.name}`)
  const created = instantOf(planned.created, dice.between(...OPENING))
  const at = (instant: number) => ({ ...deps, clock: () => new Date(instant) })
  const { id } = await nameAnew(deps.db, await makeDraft(at(created), userId), dice)
  const change = (instant: number, body: CodeChange) =>
    changeCode(at(instant), userId, id, codeChange.parse(body))

  const { name, url, look, path, formerPath } = planned
  const saved = await change(created, { name, url, ...look, vanityUrl: formerPath ?? path })
  if (formerPath) await change(instantOf(planned.created + 7, CLOSING), { vanityUrl: path })
  const ends = [saved.expiresAt ? new Date(saved.expiresAt).getTime() : Number.POSITIVE_INFINITY]
  if (planned.paused !== undefined) {
    ends.push(instantOf(planned.paused, CLOSING))
    await change(instantOf(planned.paused, CLOSING), { isActive: false })
  }
  if (planned.ended !== undefined) {
    ends.push(instantOf(planned.ended, 24))
    await endAt(deps.db, id, instantOf(planned.ended, 24))
  }
  if (planned.deleted !== undefined) {
    ends.push(instantOf(planned.deleted, CLOSING))
    await deleteCode(at(instantOf(planned.deleted, CLOSING)), userId, id)
  }
  // Whatever is made today is not in print before tomorrow.
  const life = { seed: name, from: instantOf(planned.created + 1, 0), to: Math.min(...ends) }
  return { id, life, planned }
}

/** Gives a draft names that are the same in every demo: they are seen in the list and in the pictures. */
async function nameAnew(db: Db, draft: { id: string }, dice: Dice): Promise<{ id: string }> {
  const id = randomId(dice)
  const key = Array.from({ length: SHORT_CODE_LENGTH }, () => LETTERS[dice.below(LETTERS.length)])
  const short_code = key.join('')
  await transact(db, async (tx) => {
    await tx.updateTable('codes').set({ id, short_code }).where('id', '=', draft.id).execute()
    const path = { code_id: id, key: short_code }
    await tx.updateTable('paths').set(path).where('code_id', '=', draft.id).execute()
  })
  return { id }
}

/** A UUID of version 4 (RFC 9562 §5.4). */
function randomId(dice: Dice): string {
  const digits = (count: number) =>
    Array.from({ length: count }, () => dice.below(16).toString(16)).join('')
  return `${digits(8)}-${digits(4)}-4${digits(3)}-a${digits(3)}-${digits(12)}`
}

/** No paid plan gives a code an end; one that was set on another plan may have come. */
async function endAt(db: Db, id: string, instant: number): Promise<void> {
  await db.updateTable('codes').set({ expires_at: instant }).where('id', '=', id).execute()
}
