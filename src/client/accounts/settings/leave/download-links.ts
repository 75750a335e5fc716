import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../../../api.ts'
import { saveFile } from '../../../files/save-file.ts'
import { reportFailure } from '../../../ui/messages/failure.ts'
import { toast } from '../../../ui/messages/toast.tsx'
import { refreshAccount } from '../../queries.ts'

/** What has arrived of a download: files that have begun, of how many, and bytes. */
export type Arrived = { files: number; total: number; bytes: number }

const NOTHING: Arrived = { files: 0, total: 0, bytes: 0 }

/** The download of the zip with all links. It ends with the page that it was started on. */
export function useLinksDownload() {
  const [arrived, setArrived] = useState<Arrived | null>(null)
  const under = useRef<AbortController>(null)
  const stop = () => under.current?.abort()
  useEffect(() => () => under.current?.abort(), [])
  const start = async () => {
    const way = new AbortController()
    const { signal } = way
    under.current = way
    setArrived(NOTHING)
    try {
      const { zip, name } = await fetchZip(signal, setArrived)
      saveFile(zip, name)
      toast.success('Your links have been downloaded')
      void refreshAccount()
    } catch (error) {
      if (!signal.aborted) reportFailure(error, 'The download stopped early. Please try again.')
    }
    setArrived(null)
  }
  return { arrived, start, stop }
}

async function fetchZip(signal: AbortSignal, tell: (arrived: Arrived) => void) {
  const response = await fetch('/api/account/export', { credentials: 'include', signal })
  const { status, statusText, headers, body } = response
  if (!response.ok || !body) throw new ApiError(status, statusText, await response.text())
  const total = Number(headers.get('x-total-files'))
  const name = /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '')?.[1]
  const parts: Uint8Array<ArrayBuffer>[] = []
  let [files, bytes] = [0, 0]
  const reader = body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    parts.push(value)
    files += filesIn(value)
    bytes += value.length
    tell({ files: Math.min(files, total), total, bytes })
  }
  return { zip: new Blob(parts, { type: 'application/zip' }), name: name ?? 'tessera.zip' }
}

/** Begins every file of a zip (APPNOTE.TXT, 4.3.7). */
const FILE_HEAD = [0x50, 0x4b, 0x03, 0x04]

/** How many files begin in these bytes. A head that two parts share is missed: this is for a bar only. */
export function filesIn(bytes: Uint8Array): number {
  const [first = 0, ...rest] = FILE_HEAD
  let count = 0
  for (let at = bytes.indexOf(first); at !== -1; at = bytes.indexOf(first, at + 1)) {
    if (rest.every((byte, index) => bytes[at + 1 + index] === byte)) count++
  }
  return count
}
