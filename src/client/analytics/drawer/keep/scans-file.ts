import type { ScansFile } from '#contract/analytics/figures.ts'
import { request, requestJson } from '../../../api.ts'

/** Above so many scans, some 30 MB, the browser saves the file itself: the page does not hold it. */
export const HELD_MAX = 200_000

/** What the file will have. `query` is that of the figures. @throws ApiError */
export const askScansFile = (query: string) =>
  requestJson<ScansFile>('GET', `/api/analytics/scans${query}`)

const addressOf = (query: string) => `/api/analytics/scans.csv${query}`

type Way = { signal: AbortSignal; tell: (scans: number) => void }

/** The whole file; tells how many scans of it have come. @throws ApiError, or where it breaks off */
export async function fetchScans(query: string, { signal, tell }: Way): Promise<Blob> {
  const response = await request('GET', addressOf(query), undefined, {}, signal)
  const pieces: Uint8Array<ArrayBuffer>[] = []
  // The first line has the titles.
  let lines = -1
  const reader = response.body?.getReader()
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
    if (done || !value) break
    pieces.push(value)
    lines += linesIn(value)
    tell(lines)
  }
  return new Blob(pieces, { type: 'text/csv' })
}

const LINE_FEED = 10

function linesIn(bytes: Uint8Array): number {
  let lines = 0
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) lines++
  return lines
}

/** The browser's own downloads have a bar, and a way to stop. The server names the file. */
export function letBrowserSave(query: string): void {
  const anchor = document.createElement('a')
  anchor.href = addressOf(query)
  anchor.download = ''
  anchor.click()
}
