import { safeFileStem } from './file-names.ts'

/** UTF-16 units of a code's name: what follows it must have room. */
const NAME_MAX = 40

/** `name` is the code's, undefined for all; `from` and `to` are the first and the last day. */
type FigureFile = { name: string | undefined; what: string; from: string; to: string }

/** The name of a file of figures: "tessera-menu-countries-2026-11-01-2026-11-22.csv". */
export function figureFileName({ name, what, from, to }: FigureFile, extension: string): string {
  const own = name === undefined ? '' : slugOf(name)
  const days = from === to ? [from] : [from, to]
  const stem = ['tessera', own, slugOf(what), ...days].filter(Boolean).join('-')
  return `${safeFileStem(stem)}.${extension}`
}

/** Letters and digits of any script in lower case, with a hyphen for all between. */
function slugOf(text: string): string {
  const words =
    text
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  return Array.from(words.join('-')).slice(0, NAME_MAX).join('').replace(/-$/, '')
}
