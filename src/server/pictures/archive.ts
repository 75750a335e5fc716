import { type Zippable, zipSync } from 'fflate'
import { drawPicture, type Picture } from './pictures.ts'

/** Pictures of different formats, and the name of their files without extension. */
export type Archive = { pictures: Picture[]; stem: string }

export interface ZipEntry {
  readonly name: string
  readonly bytes: Uint8Array
}

/** The least date a ZIP can carry, in local time as ZIP has it: the same files give the same bytes. */
const ZIP_TIME = new Date(1980, 0, 1)

/** @throws as drawPicture does */
export async function drawArchive({ pictures, stem }: Archive) {
  const files: ZipEntry[] = []
  for (const picture of pictures) {
    const { bytes } = await drawPicture(picture)
    files.push({ name: `${stem}.${picture.format}`, bytes })
  }
  return { bytes: zipOfPictures(files) }
}

/** Exactly these files, in this order. SVG is compressed; PNG and JPEG are already. */
export function zipOfPictures(files: readonly ZipEntry[]): Buffer {
  const entries: Zippable = {}
  for (const { name, bytes } of files) {
    if (Object.hasOwn(entries, name)) throw new Error(`Two files of one ZIP are named ${name}`)
    entries[name] = [bytes, { level: name.endsWith('.svg') ? 9 : 0, mtime: ZIP_TIME }]
  }
  return Buffer.from(zipSync(entries))
}
