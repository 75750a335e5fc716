import type { QrCode } from '#contract/codes.ts'
import { destinationOf } from '#contract/links.ts'
import { foldedTag } from '#contract/tag-values.ts'
import { isRefusal } from '../../../api.ts'
import type { Values } from '../../../kept-form.ts'
import { mergedTags } from '../tags/tag-lists.ts'
import { type Field, valuesOf } from '../values.ts'

/** A code as a form began with it. */
export type Beginning = { version: number; values: Values }

export const beginningOf = (code: QrCode): Beginning => ({
  version: code.version,
  values: valuesOf(code),
})

type Merged = {
  /** With the other side's changes, but mine in each disputed field. */
  values: Values
  /** Both sides changed these, and not to the same. */
  disputed: Field[]
  /** Only the other side changed these. */
  taken: Field[]
}

/** Puts two changes of one code together, field by field. */
export function merge(began: Values, mine: Values, theirs: Values): Merged {
  const fields = Object.keys(began) as Field[]
  const notMine = fields.filter((field) => !isSame(field, mine, theirs))
  const changed = notMine.filter((field) => !isSame(field, began, theirs))
  const taken = changed.filter((field) => isSame(field, began, mine))
  return {
    values: {
      ...mine,
      ...pick(theirs, taken),
      // Nobody has to choose: each tag is there or not.
      tags: mergedTags(began.tags, mine.tags, theirs.tags),
    },
    disputed: changed.filter((field) => field !== 'tags' && !taken.includes(field)),
    taken,
  }
}

export function pick(values: Values, fields: readonly Field[]): Partial<Values> {
  return Object.fromEntries(fields.map((field) => [field, values[field]]))
}

/** Whether two forms would save the same in a field. */
export function isSame(field: Field, a: Values, b: Values): boolean {
  return settled(field, a[field]) === settled(field, b[field])
}

/** What is typed has blanks around it, and a colour in capitals. */
function settled(field: Field, value: Values[Field]): string | boolean {
  if (Array.isArray(value)) return JSON.stringify(value.map(foldedTag).sort())
  if (typeof value === 'object') return JSON.stringify(value)
  if (typeof value !== 'string') return value
  const text = value.trim()
  if (field === 'url') return destinationOf(text) ?? text
  return field === 'name' ? text : text.toLowerCase()
}

/** The code was changed elsewhere in the same fields: somebody has to choose. */
export class Dispute extends Error {
  override name = 'Dispute'
  readonly theirs: QrCode
  readonly merged: Merged

  constructor(theirs: QrCode, merged: Merged) {
    super('The code was changed elsewhere in the same fields')
    this.theirs = theirs
    this.merged = merged
  }
}

type Calls = {
  /** @throws ApiError changed_elsewhere where the code has another version by now */
  save: (code: QrCode, values: Values, version: number) => Promise<QrCode>
  read: (id: string) => Promise<QrCode>
}

/** Somebody who saves faster than this form is told, in the end, that nothing was saved. */
const TRIES = 3

/**
 * Saves a form. If the code was changed elsewhere meanwhile, both changes are saved together.
 * @throws Dispute if both changed the same
 */
export async function saveTogether(
  { save, read }: Calls,
  { code, began, values }: { code: QrCode; began: Beginning; values: Values },
  tries = TRIES,
): Promise<QrCode> {
  try {
    return await save(code, values, began.version)
  } catch (error) {
    if (!isRefusal(error, 'changed_elsewhere') || tries === 1) throw error
  }
  const theirs = await read(code.id)
  const merged = merge(began.values, values, valuesOf(theirs))
  if (merged.disputed.length > 0) throw new Dispute(theirs, merged)
  const next = { code: theirs, began: beginningOf(theirs), values: merged.values }
  return saveTogether({ save, read }, next, tries - 1)
}
