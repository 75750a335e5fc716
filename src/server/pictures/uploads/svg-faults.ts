/** The bytes of a file in which its root element is searched */
const SVG_HEAD = 64 * 1024

/** The parts that may stand before the root element, by their beginnings */
const before: readonly [begin: string, end: string][] = [
  ['<?', '?>'],
  ['<!--', '-->'],
  ['<!DOCTYPE', '>'],
]

/** Whether bytes begin as an SVG document in UTF-8 does. */
export const isSvgStart = (bytes: Uint8Array) => rootOf(bytes) !== undefined

/** librsvg's loader looks for the root element in this number of bytes. */
const LOADER_HEAD = 1_000

/** The document as its loader knows it: without a long comment of a licence before its root. */
export function loadableSvg(bytes: Uint8Array): Uint8Array {
  const root = rootOf(bytes) ?? 0
  return root < LOADER_HEAD ? bytes : bytes.subarray(root)
}

/** The offset of the root element; undefined if it is not an SVG's. */
function rootOf(bytes: Uint8Array): number | undefined {
  // One character for each byte.
  const head = Buffer.from(bytes.subarray(0, SVG_HEAD)).toString('latin1')
  let at = head.startsWith(BYTE_ORDER) ? BYTE_ORDER.length : 0
  for (;;) {
    at += /^\s*/.exec(head.slice(at))?.[0].length ?? 0
    const [begin, end] = before.find(([start]) => head.startsWith(start, at)) ?? []
    if (!begin || !end) return /^<svg[\s>/]/.test(head.slice(at, at + 5)) ? at : undefined
    const last = begin === '<!DOCTYPE' && hasSubset(head.slice(at)) ? ']>' : end
    const found = head.indexOf(last, at)
    if (found < 0) return undefined
    at = found + last.length
  }
}

/** U+FEFF in UTF-8 */
const BYTE_ORDER = '\xef\xbb\xbf'

/** Declarations of its own in a document's type. */
const hasSubset = (rest: string) => /^[^>[]*\[/.test(rest)

/** A picture that an element shows, with an address that is neither in the file nor in itself. */
const ELSEWHERE =
  /<(?:[\w-]+:)?(?:image|feImage|use)\b[^<>]*\bhref\s*=\s*["']\s*(?!#|data:)[^"'\s]/i

/** Why an SVG is refused before anything reads it, or null. */
export function faultOfSvg(bytes: Uint8Array): 'entities' | 'elsewhere' | null {
  const text = Buffer.from(bytes).toString('latin1')
  // They can unfold to gigabytes, or name files and addresses.
  if (text.includes('<!ENTITY')) return 'entities'
  // It would be drawn without that picture, and the user would not know why.
  return ELSEWHERE.test(text) ? 'elsewhere' : null
}
