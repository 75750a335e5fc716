import { fieldsOf, type LookFields, lookOf } from '#contract/pictures/pictures.ts'

/** A code's looks in their order, beginning with the first. Those after `at` were undone. */
export type History = {
  readonly looks: readonly LookFields[]
  /** The place of the look that is shown */
  readonly at: number
  /** When the last change was made, in milliseconds, and in which fields; null if the next change is a new step */
  readonly last: { readonly at: number; readonly fields: string } | null
}

/** A slider that is drawn, or a colour that is typed, is one change. */
export const ONE_CHANGE_MS = 800
/** More steps than people undo. */
export const STEPS_MAX = 100

export const beginHistory = (look: LookFields): History => ({ looks: [look], at: 0, last: null })

export const shownIn = ({ looks, at }: History) => looks[at] as LookFields

/** The history after the form was seen with a look. */
export function recordLook(history: History, next: LookFields, now: number): History {
  const { looks, at, last } = history
  const fields = changedFields(shownIn(history), next)
  if (fields === '') return history
  const goesOn = last !== null && last.fields === fields && now - last.at < ONE_CHANGE_MS
  const before = looks.slice(0, goesOn ? at : at + 1).slice(-STEPS_MAX)
  return { looks: [...before, next], at: before.length, last: { at: now, fields } }
}

/** One step back or on; the same history where there is none. */
export function takeStep(history: History, by: -1 | 1): History {
  const at = history.at + by
  return at in history.looks ? { ...history, at, last: null } : history
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
