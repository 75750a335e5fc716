/** The path of a short link, with or without what stands before it */
const LINK = /(?:^|\/)qr\/([^/?#]+)\/?$/i

/**
 * The texts that a search looks for, in lower case: its words as they may be stored, in both forms of Unicode and encoded as in
 * an address, and the name in a short link.
 */
export function searchedTexts(typed: string): string[] {
  const text = typed.trim().toWellFormed()
  const composed = text.normalize('NFC')
  const [, name = composed] = LINK.exec(text) ?? []
  const texts = [composed, text.normalize('NFD'), encodeURI(composed), name]
  // Only letters beyond ASCII are written otherwise in a host (RFC 5891).
  if (/[^ -~]/.test(text)) {
    const address = URL.parse(`http://${composed.replace(/^https?:\/\//i, '')}`)?.href
    texts.push(address?.slice('http://'.length).replace(/\/$/, '') || composed)
  }
  return [...new Set(texts.map((each) => each.toLowerCase()))]
}

/** The order of names for people: letters with accents beside those without, numbers by their value */
export const nameOrder = new Intl.Collator(undefined, { numeric: true })
