import { fieldsOf, type LookFields, lookOf } from '#contract/pictures/pictures.ts'

/** How a code looked before each change, and after those that were taken back. */
export type History = {
  readonly past: readonly LookFields[]
  readonly present: LookFields
  readonly future: readonly LookFields[]
  /** When the last change was made, in milliseconds, and in which fields; null if the next change is a new step */
  readonly last: { readonly at: number; readonly fields: string } | null
}

/** A slider that is drawn, or a colour that is typed, is one change. */
export const ONE_CHANGE_MS = 800
/** More steps than people undo. */
export const STEPS_MAX = 100

export const beginHistory = (present: LookFields): History => ({
  past: [],
  present,
  future: [],
  last: null,
})

/** The history after the form was seen with a look. */
export function recordLook(history: History, next: LookFields, now: number): History {
  const { past, present, last } = history
  const fields = changedFields(present, next)
  if (fields === '') return history
  const goesOn = last !== null && last.fields === fields && now - last.at < ONE_CHANGE_MS
  const steps = goesOn ? past : [...past, present].slice(-STEPS_MAX)
  return { past: steps, present: next, future: [], last: { at: now, fields } }
}

/** One step back; the same history where there is none. */
export function undo(history: History): History {
  const { past, present, future } = history
  const before = past.at(-1)
  if (!before) return history
  return { past: past.slice(0, -1), present: before, future: [present, ...future], last: null }
}

export function redo(history: History): History {
  const { past, present, future } = history
  const [after, ...rest] = future
  if (!after) return history
  return { past: [...past, present], present: after, future: rest, last: null }
}

/** The look's fields among the form's values. */
export const lookFieldsOf = (values: LookFields): LookFields => fieldsOf(lookOf(values))

/** Names of the fields that differ; those of the artwork each by themselves. */
function changedFields(one: LookFields, other: LookFields): string {
  const flat = ({ artwork, ...fields }: LookFields): Record<string, unknown> => ({
    ...fields,
    ...artwork,
  })
  const [before, after] = [flat(one), flat(other)]
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  const isSame = (name: string) => JSON.stringify(before[name]) === JSON.stringify(after[name])
  // From none to some, an artwork's other parts are new and not changed.
  const changed = [...names].filter((name) => name in before && name in after && !isSame(name))
  return changed.length > 0 || sameArtwork(one, other) ? changed.join() : 'artwork'
}

const sameArtwork = (one: LookFields, other: LookFields) =>
  JSON.stringify(one.artwork) === JSON.stringify(other.artwork)
