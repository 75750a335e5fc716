import fc from 'fast-check'
import { unzipSync, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { safeFileStem } from '../../../src/contract/file-names.ts'
import { attachment } from '../../../src/server/pictures/file-names.ts'
import { seed, times } from '../../support/soak.ts'

const RUNS = { seed, numRuns: times(500, 30_000) }

const words = (list: string) => list.split(' ')

/** Names that have broken file systems and headers */
const hostile = fc.constantFrom(
  ...words(
    'CON nul Com1 LPT9 aux prn conin$ CLOCK$ com¹ . .. ... ~ desktop.ini .png .exe .lnk -rf',
  ),
  ...words("/ \\ : * ? \" < > | ' % ; = , ` $ & # ! %00 %2f ..%5c UTF-8'' filename*="),
  ...[
    '\0',
    '\r',
    '\n',
    '\t',
    '\x7f',
    '\x85',
    ' ',
    '\u00a0',
    '\u3000',
    '\u200b',
    '\u202e',
    '\ufeff',
  ],
  ...['\ud800', '\udfff', '\ufffe', '\u{1F469}\u200d\u{1F4BB}', 'e\u0301', ...words('é 菜 ﬁ ẛ̣ ᄀ')],
)
const anyName = fc.oneof(
  fc
    .array(fc.oneof(hostile, fc.string({ unit: 'binary', maxLength: 4 })), { maxLength: 60 })
    .map((parts) => parts.join('')),
  fc.array(hostile, { maxLength: 6 }).map((parts) => parts.join('')),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.string({ unit: fc.constantFrom(...'菜单한글あ'), maxLength: 200, size: 'max' }),
)

/** Where Windows sees a device, whatever the extension (Naming Files, Paths, and Namespaces). */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(?:\.|$)/i

test('any name makes a file name that Windows, macOS and Linux take', () => {
  fc.assert(
    fc.property(anyName, (name) => {
      const stem = safeFileStem(name)
      // Windows: reserved characters, controls, devices, a dot or space at the end.
      expect(stem).not.toMatch(/[<>:"/\\|?*\p{Cc}]/u)
      expect(stem).not.toMatch(DEVICE)
      expect(stem).toBe(stem.trim())
      expect(stem).not.toMatch(/^\.|\.$/)
      // macOS and Linux: 255 bytes with what a browser appends; macOS refuses half characters.
      expect(stem).not.toBe('')
      expect(Buffer.byteLength(`${stem} (1).png`)).toBeLessThanOrEqual(255)
      expect(stem.isWellFormed()).toBe(true)
      // The name that is shown is the name of the file.
      expect(stem).not.toMatch(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/u)
      expect(stem).toBe(stem.normalize('NFC'))
    }),
    RUNS,
  )
})

test('a file name stays as it is when it is made safe once more', () => {
  fc.assert(
    fc.property(anyName, (name) => {
      expect(safeFileStem(safeFileStem(name))).toBe(safeFileStem(name))
    }),
    RUNS,
  )
})

/** RFC 6266 §4.1 and RFC 8187 §3.2.1, for what we send: a quoted plain name, and one of any characters. */
const HEADER =
  /^attachment; filename="([\x20-\x21\x23-\x5b\x5d-\x7e]*)"(?:; filename\*=UTF-8''((?:%[0-9A-F]{2}|[\w!#$&+.^`|~-])*))?$/

test('any download is announced in one line of ASCII that gives the whole name back', () => {
  fc.assert(
    fc.property(anyName, (name) => {
      const file = `${safeFileStem(name)}_all_formats.zip`
      const [, plain, extended] = HEADER.exec(attachment(file)) ?? []
      expect(extended === undefined ? plain : decodeURIComponent(extended)).toBe(file)
    }),
    RUNS,
  )
})

test('any name at all, safe or not, stays within its header', () => {
  fc.assert(
    fc.property(anyName, (name) => {
      expect(attachment(name)).toMatch(HEADER)
    }),
    RUNS,
  )
})

test('any name comes out of the ZIP as it went in', () => {
  fc.assert(
    fc.property(anyName, (name) => {
      const file = `${safeFileStem(name)}.svg`
      expect(Object.keys(unzipSync(zipSync({ [file]: new Uint8Array() })))).toEqual([file])
    }),
    RUNS,
  )
})
