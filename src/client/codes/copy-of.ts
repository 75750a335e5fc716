import { NAME_MAX } from '#contract/code-values.ts'
import type { CodeChange, QrCode } from '#contract/codes.ts'
import { fieldsOf, lookOf } from '#contract/pictures/pictures.ts'

/** The fields of a duplicate: all but the custom path, which can belong to one code only. */
export function copyOf(code: QrCode, names: readonly string[] = []): CodeChange {
  const { name, url, tags } = code
  return { name: copyName(name, names), url, tags, ...fieldsOf(lookOf(code)) }
}

/** What a copy's name ends with; a copy of a copy is one more of the same. */
const COPY = / \(copy(?: \d{1,5})?\)$/

/** "Menu (copy)", or the first of "Menu (copy 2)", "Menu (copy 3)" … that no code has. */
export function copyName(name: string, names: readonly string[]): string {
  const taken = new Set(names)
  const original = name.replace(COPY, '')
  for (let number = 1; ; number++) {
    const copy = withSuffix(original, number === 1 ? ' (copy)' : ` (copy ${number})`)
    if (!taken.has(copy)) return copy
  }
}

/** A long name is cut to make room for the suffix, but never in the middle of a character. */
function withSuffix(name: string, suffix: string): string {
  const kept = name.slice(0, NAME_MAX - suffix.length).replace(/[\uD800-\uDBFF]$/, '')
  return kept.trimEnd() + suffix
}
