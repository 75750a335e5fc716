import { unzipSync, type Zippable, zipSync } from 'fflate'
import type { QrCode } from '#contract/codes/codes.ts'

export const ZIP_OF_MANY = 'qr_codes.zip'

/** One zip with a folder for each code, built from the codes' own zips. */
export class ZipOfMany {
  readonly #files: Zippable = {}
  readonly #folders = new Set<string>()

  add({ id }: Pick<QrCode, 'id'>, zip: Uint8Array): void {
    const files = Object.entries(unzipSync(zip))
    const folder = this.#newFolder(stemOf(files[0]?.[0] ?? id), id)
    for (const [name, bytes] of files) {
      // All formats but SVG are compressed already.
      this.#files[`${folder}/${name}`] = [bytes, { level: name.endsWith('.svg') ? 6 : 0 }]
    }
  }

  toBlob(): Blob {
    return new Blob([zipSync(this.#files)], { type: 'application/zip' })
  }

  /** Codes may share a name, or differ only in capitals: then the start of the id distinguishes them. */
  #newFolder(stem: string, id: string): string {
    const isTaken = this.#folders.has(stem.toLowerCase())
    const folder = isTaken ? `${stem} (#${id.slice(0, 8)})` : stem
    this.#folders.add(folder.toLowerCase())
    return folder
  }
}

const stemOf = (name: string) => name.slice(0, name.lastIndexOf('.'))
