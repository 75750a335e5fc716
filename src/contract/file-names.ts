/*
 * One rule for the names of downloads: in a zip, in the server's header and in the browser.
 */

const STEM_MAX = 100
/** File systems allow 255 bytes for a name, and ' (1).png' must still fit. */
const STEM_MAX_BYTES = 240
const NAMELESS = 'qr-code'

const encoder = new TextEncoder()

/** Control, half surrogate and private characters, and those without a width or that turn the reading order. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu
const RESERVED = /[<>:"/\\|?*]/g
/** Windows reads these as devices, whatever follows the first dot. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])\s*(?:\.|$)/i

/**
 * A code's name as a file name without extension that Windows, macOS and Linux accept: at most 100
 * UTF-16 units and 240 bytes, never empty, hidden, a device or a path.
 */
export function safeFileStem(name: string): string {
  const visible = name.normalize('NFC').replace(INVISIBLE, '').replace(RESERVED, ' ')
  const stem = trimmed(visible.replace(/\s+/g, ' '))
  return trimmed(bounded(DEVICE.test(stem) ? `${NAMELESS} ${stem}` : stem)) || NAMELESS
}

function trimmed(stem: string): string {
  return stem.replace(/^[.\s]+|(?<![.\s])[.\s]+$/g, '')
}

/** As many whole characters from the start as both limits allow. */
function bounded(stem: string): string {
  let kept = ''
  for (const character of stem) {
    const longer = kept + character
    if (longer.length > STEM_MAX || encoder.encode(longer).length > STEM_MAX_BYTES) break
    kept = longer
  }
  return kept
}

/** The zip of all formats is named after the code. */
export const zipNameOf = (name: string) => `${safeFileStem(name)}_all_formats.zip`

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
