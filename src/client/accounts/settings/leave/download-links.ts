import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../../../api.ts'
import { saveFile } from '../../../save-file.ts'
import { reportFailure } from '../../../ui/failure.ts'
import { toast } from '../../../ui/toast.tsx'
import { refreshAccount } from '../../queries.ts'

/** What has arrived of a download, in bytes; `total` is null where nobody knows it before the end. */
export type Arrived = { bytes: number; total: number | null }

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
    setArrived({ bytes: 0, total: null })
    try {
      const zip = await fetchZip(signal, setArrived)
      saveFile(zip, 'tessera-links.zip')
      toast.success('Your links are downloaded')
      void refreshAccount()
    } catch (error) {
      if (!signal.aborted) reportFailure(error, 'The download broke off. Please try again.')
    }
    setArrived(null)
  }
  return { arrived, start, stop }
}

async function fetchZip(signal: AbortSignal, tell: (arrived: Arrived) => void): Promise<Blob> {
  const response = await fetch('/api/account/export', { credentials: 'include', signal })
  const { status, statusText, headers, body } = response
  if (!response.ok || !body) throw new ApiError(status, statusText, await response.text())
  const total = Number(headers.get('content-length')) || null
  const parts: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  for (const reader = body.getReader(); ; ) {
    const { done, value } = await reader.read()
    if (done) return new Blob(parts, { type: 'application/zip' })
    parts.push(value)
    bytes += value.length
    tell({ bytes, total })
  }
}
