import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { stone, verdigris } from '../../src/client/ui/palette.ts'

/** `mark` is the share of the edge that the mark takes; a mask may cut off a tenth on each side. */
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
  for (const { file, size, mark: share, corner } of icons) {
    const scale = (size * share) / 16
    const start = (size * (1 - share)) / 2
    const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}">
      <rect width="${size}" height="${size}" rx="${size * corner}" fill="${stone[0]}"/>
      <path transform="translate(${start} ${start}) scale(${scale})" fill="${verdigris[8]}" d="${mark}"/></svg>`
    const png = await sharp(Buffer.from(picture))
      .png({ compressionLevel: 9, palette: true })
      .toBuffer()
    await writeFile(join(publicDir, file), png)
  }
}
