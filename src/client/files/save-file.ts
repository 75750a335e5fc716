import { MINUTE_MS } from '#contract/time.ts'

/** After this time every browser has saved the file. */
const RELEASE_MS = MINUTE_MS

/** Saves what the page has made or fetched as a file of this name. */
export function saveFile(file: Blob, fileName: string): void {
  const blobUrl = URL.createObjectURL(file)
  const anchor = document.createElement('a')
  anchor.href = blobUrl
  anchor.download = fileName
  anchor.click()
  setTimeout(() => URL.revokeObjectURL(blobUrl), RELEASE_MS)
}
