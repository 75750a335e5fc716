import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { stone, verdigris } from '../../src/client/ui/theme/palette.ts'

/** `mark` is the mark's share of the edge; systems may cut a tenth off each side of a maskable icon. */
const icons = [
  { file: 'icon-192.png', size: 192, mark: 0.6, corner: 0.22 },
  { file: 'icon-512.png', size: 512, mark: 0.6, corner: 0.22 },
  { file: 'icon-maskable-512.png', size: 512, mark: 0.5, corner: 0 },
  { file: 'apple-touch-icon.png', size: 180, mark: 0.58, corner: 0 },
]

/** The path of the mark, in a square of 16. */
export async function readMark(publicDir: string): Promise<string> {
  const favicon = await readFile(join(publicDir, 'favicon.svg'), 'utf8')
  const mark = /<path d="([^"]+)"/.exec(favicon)?.[1]
  if (!mark) throw new Error('favicon.svg holds no path')
  return mark
}

/** The mark on paper, in all sizes that systems ask for. */
export async function drawIcons(publicDir: string, mark: string): Promise<void> {
  for (const icon of icons) await writeFile(join(publicDir, icon.file), await draw(icon, mark))
  // Some programs request /favicon.ico without reading a page.
  const small = await draw({ size: 48, mark: 0.8, corner: 0.22 }, mark)
  await writeFile(join(publicDir, 'favicon.ico'), asIco(small, 48))
}

function draw(
  { size, mark: share, corner }: Omit<(typeof icons)[number], 'file'>,
  mark: string,
): Promise<Buffer> {
  const scale = (size * share) / 16
  const start = (size * (1 - share)) / 2
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}">
    <rect width="${size}" height="${size}" rx="${size * corner}" fill="${stone[0]}"/>
    <path transform="translate(${start} ${start}) scale(${scale})" fill="${verdigris[8]}" d="${mark}"/></svg>`
  return sharp(Buffer.from(picture)).png({ compressionLevel: 9, palette: true }).toBuffer()
}

/** One PNG as an ICO file: ICONDIR and one ICONDIRENTRY before it. */
function asIco(png: Buffer, size: number): Buffer {
  const head = Buffer.alloc(22)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(1, 4)
  head.writeUInt8(size, 6)
  head.writeUInt8(size, 7)
  head.writeUInt16LE(1, 10)
  head.writeUInt16LE(32, 12)
  head.writeUInt32LE(png.length, 14)
  head.writeUInt32LE(head.length, 18)
  return Buffer.concat([head, png])
}
