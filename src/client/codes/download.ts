import { request } from '../api.ts'
import { reportFailure } from '../ui/failure.ts'

/** After this time every browser has saved the file. */
const RELEASE_MS = 60_000

/** Fetches a file and saves it under the given name. A toast reports a failure. */
export async function download(address: string, fileName: string): Promise<void> {
  try {
    const response = await request('GET', address)
    saveFile(await response.blob(), fileName)
  } catch (error) {
    reportFailure(error, 'Failed to download QR code')
  }
}

export function saveFile(file: Blob, fileName: string): void {
  const blobUrl = URL.createObjectURL(file)
  const anchor = document.createElement('a')
  anchor.href = blobUrl
  anchor.download = fileName
  anchor.click()
  setTimeout(() => URL.revokeObjectURL(blobUrl), RELEASE_MS)
}

/** The zip of all formats is named after the code. */
export function zipName(name: string): string {
  return `${name}_all_formats.zip`
}
