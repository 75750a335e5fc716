import punycode from 'punycode.js'

/**
 * Hosts that can be shown in their own letters, as browsers do (https://chromium.googlesource.com/chromium/src/+/main/docs/idn.md):
 * each label has one script (UTS 39 §5.2), of Latin only the usual letters of Europe, and what is written in a script
 * that looks like Latin is so to its end. Right-to-left labels would change places.
 */
const OWN_LETTERS = [
  /^(?:(?:[a-z\d\u00df-\u00f6\u00f8-\u0130\u0132-\u0137\u0139-\u0148\u014a-\u017e-]+|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\d-]+|[\p{Script=Hangul}\d-]+)(?:\.|$))+$/u,
  /^[\p{Script=Cyrillic}\d.-]+$/u,
  /^[\p{Script=Greek}\d.-]+$/u,
]

/** Encoded letters. All that could be taken for a part of the address, or not be seen, stays encoded. */
const ENCODED = /(?:%[89a-f][\da-f])+/gi
const LETTERS = /^[\p{L}\p{M}\p{N}]+$/u

/** An address for people to read. It leads where the encoded one leads, unless that is not UTF-8. */
export function shownAddress(address: string): string {
  if (!/%|xn--/.test(address)) return address
  const host = URL.parse(address)?.hostname ?? ''
  const decoded = punycode.toUnicode(host)
  const isSafe = OWN_LETTERS.some((letters) => letters.test(decoded))
  const readable = decoded !== host && isSafe ? address.replace(host, decoded) : address
  return readable.replace(ENCODED, (bytes) => {
    try {
      const text = decodeURIComponent(bytes)
      return LETTERS.test(text) ? text : bytes
    } catch {
      return bytes
    }
  })
}
