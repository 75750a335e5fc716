import { NAME_MAX } from '#contract/code-values.ts'
import type { CodeChange, QrCode } from '#contract/codes.ts'

const SUFFIX = ' (copy)'

/** What a duplicate takes over: all but the custom path, which can lead to one code only. */
export function copyOf(code: QrCode): CodeChange {
  const { name, url, style, foregroundColor, backgroundColor, ecc, compact } = code
  return { name: copyName(name), url, style, foregroundColor, backgroundColor, ecc, compact }
}

/** A long name gives way to what tells the two apart, and no character is cut in half. */
function copyName(name: string): string {
  const room = NAME_MAX - SUFFIX.length
  const kept = name.slice(0, room).replace(/[\uD800-\uDBFF]$/, '')
  return kept.trimEnd() + SUFFIX
}
