import { safeFileStem } from '#contract/file-names.ts'

/**
 * File stems for names, one after the other: the second of two that are the same to a file system, which
 * may ignore capitals, gets a number.
 */
export class DistinctStems {
  readonly #taken = new Set<string>()
  readonly #numbers = new Map<string, number>()

  of(name: string): string {
    const stem = safeFileStem(name)
    const folded = stem.toLowerCase()
    let [own, number] = [stem, this.#numbers.get(folded) ?? 1]
    while (this.#taken.has(own.toLowerCase())) own = `${stem} (${++number})`
    this.#numbers.set(folded, number)
    this.#taken.add(own.toLowerCase())
    return own
  }
}

/**
 * The Content-Disposition of a download (RFC 6266): a plain name for old clients, and the full name as
 * `filename*` (RFC 8187) where it differs. Any name is safe in this header.
 */
export function attachment(fileName: string): string {
  const full = fileName.toWellFormed().replace(/\p{Cc}/gu, '')
  // No percent sign in the plain name: some clients decode it there (RFC 6266 annex D).
  const plain = full
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]|["\\%]/gu, '_')
  const header = `attachment; filename="${plain}"`
  return plain === full ? header : `${header}; filename*=UTF-8''${extendedValue(full)}`
}

/** RFC 8187 §3.2.1: everything but attr-char is percent-encoded. */
function extendedValue(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
