import { useCallback, useEffect, useRef } from 'react'
import type { PrintTrouble } from '#qr/photo/troubles.ts'
import type { PhotoRefusal } from './photo-sizes.ts'

/** The result of reading a photo. `preview` is a small picture of it. */
export type PhotoResult =
  | { kind: 'read'; texts: string[]; preview: Blob }
  | { kind: 'unread'; trouble: PrintTrouble; preview: Blob }
  | { kind: 'refused'; why: PhotoRefusal }

/** Reads photos in a worker that starts with the first one and ends with the dialog. */
export function usePhotoReader() {
  const worker = useRef<Worker>(undefined)
  const stop = useCallback(() => {
    worker.current?.terminate()
    worker.current = undefined
  }, [])
  useEffect(() => stop, [stop])
  return (file: Blob): Promise<PhotoResult> =>
    new Promise((resolve) => {
      const asked =
        worker.current ??
        new Worker(new URL('./photo-worker.ts', import.meta.url), { type: 'module' })
      worker.current = asked
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = ({ data }) => resolve(data)
      // The program of an older page may be gone from the server, or the browser too old for it.
      asked.addEventListener('error', () => {
        stop()
        resolve({ kind: 'refused', why: 'failed' })
      })
      asked.postMessage(file, [port2])
    })
}
