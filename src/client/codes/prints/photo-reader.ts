import { useCallback, useEffect, useRef } from 'react'
import type { PrintTrouble } from '#qr/photo/troubles.ts'
import type { PhotoRefusal } from './photo-sizes.ts'

/** The result of reading a photo. `preview` is a small picture of it. */
export type PhotoResult =
  | { kind: 'read'; texts: string[]; preview: Blob }
  | { kind: 'unread'; trouble: PrintTrouble; preview: Blob }
  | { kind: 'refused'; why: PhotoRefusal }

export type PhotoRequest = { id: number; file: Blob }
export type PhotoReply = { id: number; result: PhotoResult }

/** Reads photos in a worker that starts with the first one and ends with the dialog. */
export function usePhotoReader(): (file: Blob) => Promise<PhotoResult> {
  const worker = useRef<Worker>(undefined)
  const count = useRef(0)
  const stop = useCallback(() => {
    worker.current?.terminate()
    worker.current = undefined
  }, [])
  useEffect(() => stop, [stop])
  return useCallback(
    (file) => {
      const asked = start(worker)
      const id = ++count.current
      return new Promise((resolve) => {
        const answer = (result: PhotoResult) => {
          asked.removeEventListener('message', hear)
          resolve(result)
        }
        const hear = ({ data }: MessageEvent<PhotoReply>) => {
          if (data.id === id) answer(data.result)
        }
        asked.addEventListener('message', hear)
        // The program of an older page may be gone from the server, or the browser too old for it.
        asked.addEventListener('error', () => {
          stop()
          answer({ kind: 'refused', why: 'failed' })
        })
        asked.postMessage({ id, file } satisfies PhotoRequest)
      })
    },
    [stop],
  )
}

function start(worker: { current: Worker | undefined }): Worker {
  worker.current ??= new Worker(new URL('./photo-worker.ts', import.meta.url), { type: 'module' })
  return worker.current
}
