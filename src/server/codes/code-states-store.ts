import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { CodeState, StatesPart } from '#contract/codes/code-history.ts'
import {
  CHANGES_MAX,
  type KeptField,
  keptFields,
  STATES_PAGE,
} from '#contract/codes/rule-values.ts'
import { type Actor, programOf } from '../actor.ts'
import type { PersonId } from '../database/ids.ts'
import { addNew, deleteWhere, rowsWhere } from '../database/rows.ts'
import type { Db, Tx } from '../database/schema.ts'
import { iso } from '../dates.ts'
import type { CodeRow } from './codes-store.ts'
import { presentCode } from './presenter.ts'

type State = Pick<CodeState, KeptField>

/** The part of a code whose changes are kept. */
function stateOf(row: CodeRow): State {
  const code = presentCode(row, '', [])
  return Object.fromEntries(keptFields.map((field) => [field, code[field]])) as State
}

/** The fields in which two states differ */
const differing = (one: State, other: State) =>
  keptFields.filter((field) => !isDeepStrictEqual(one[field], other[field]))

/** Keeps the state of a code after a change, and before its first change the one that it had. Returns the fields that changed. */
export async function keepState(
  tx: Tx,
  actor: Actor,
  before: CodeRow,
  after: CodeRow,
  now: Date,
): Promise<KeptField[]> {
  const [old, state] = [stateOf(before), stateOf(after)]
  const changed = differing(old, state)
  if (changed.length === 0) return changed
  const code_id = before.id
  const kept = await tx
    .selectFrom('code_states')
    .select(({ fn }) => fn.max('number').as('last'))
    .where('code_id', '=', code_id)
    .executeTakeFirstOrThrow()
  const last = Number(kept.last ?? 0)
  const program = programOf({ actor })
  const by = actor.personId
  const keep = (number: number, at: number, what: State, actor: string | null, name?: string) => {
    const row = { id: randomUUID(), code_id, number, at, actor, actor_name: name ?? null }
    const person_id = actor === null ? null : by
    return addNew(tx, 'code_states', { ...row, person_id, state: JSON.stringify(what) })
  }
  const number = Math.max(last, 1) + 1
  if (last === 0) await keep(1, before.saved_at ?? before.created_at, old, null)
  await keep(number, now.getTime(), state, program?.kind ?? 'person', program?.name)
  const oldest = deleteWhere(tx, 'code_states', { code_id })
  await oldest.where('number', '<=', number - CHANGES_MAX).execute()
  return changed
}

/** A part of the states that a code has had, the newest first; after the one with the number `cursor`. */
export async function listStates(
  db: Db,
  { codeId, personId }: { codeId: string; personId: PersonId },
  { limit = STATES_PAGE, cursor }: { limit?: number | undefined; cursor?: string | undefined },
): Promise<StatesPart> {
  let query = db
    .selectFrom('code_states')
    .leftJoin('users', 'users.id', 'code_states.person_id')
    .select(['code_states.id', 'at', 'actor', 'actor_name', 'person_id', 'number', 'state'])
    .select('users.name as person')
    .where('code_id', '=', codeId)
  if (cursor) query = query.where('number', '<', Number(cursor))
  const code = await db
    .selectFrom('codes')
    .leftJoin('users', 'users.id', 'codes.changed_by')
    .select(['changed_at', 'changed_by', 'users.name as byName'])
    .where('codes.id', '=', codeId)
    .executeTakeFirst()
  // One more, with which the last one is compared.
  const rows = await query
    .orderBy('number', 'desc')
    .limit(limit + 1)
    .execute()
  const states = rows.map(({ state }): State => JSON.parse(state))
  const items = rows.slice(0, limit).map((row, index) => {
    const state = states[index] as State
    const earlier = states[index + 1]
    return {
      id: row.id,
      at: iso(row.at),
      by: row.actor as CodeState['by'],
      byName: row.actor === 'person' ? row.person : row.actor_name,
      isYou: row.person_id === personId,
      changed: earlier ? differing(earlier, state) : [],
      ...state,
    }
  })
  const isMore = rows.length > limit
  const lastChange =
    code && code.changed_at !== null
      ? { at: iso(code.changed_at), byName: code.byName, isYou: code.changed_by === personId }
      : null
  return { items, nextCursor: isMore ? String(rows[limit - 1]?.number) : null, lastChange }
}

/** One of the states that a code has had; undefined if it is gone. */
export async function findState(db: Db, codeId: string, id: string): Promise<State | undefined> {
  const row = await rowsWhere(db, 'code_states', { code_id: codeId, id }).executeTakeFirst()
  return row && JSON.parse(row.state)
}
