const STEM_MAX = 100
/** File systems allow 255 bytes for a name, and ' (1).png' must still fit. */
const STEM_MAX_BYTES = 240
const NAMELESS = 'qr-code'

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
  return stem.replace(/^[.\s]+|[.\s]+$/g, '')
}

/** As many whole characters from the start as both limits allow. */
function bounded(stem: string): string {
  let kept = ''
  for (const character of stem) {
    const longer = kept + character
    if (longer.length > STEM_MAX || Buffer.byteLength(longer) > STEM_MAX_BYTES) break
    kept = longer
  }
  return kept
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
