import { useEffect, useRef, useState } from 'react'
import { request } from '../api.ts'
import { reportFailure } from '../ui/messages/failure.ts'
import { saveFile } from './save-file.ts'

/** The progress of a file that the server makes while it sends it: parts that have begun, of how many. */
export type Arrived = { parts: number; total: number; bytes: number }

export type ArrivingFile = {
  path: string
  /** Sent by POST; without it the file is read by GET. */
  body?: object
  type: string
  /** The bytes that each part begins with */
  mark: string
  /** The file's name, if it is not the server's */
  name?: string
}

/** Each file of a zip begins with these (APPNOTE.TXT, 4.3.7). */
export const ZIP_MARK = 'PK\u0003\u0004'

/** Downloads such files, one at a time, until the component leaves the page. */
export function useArrivingFile(failed: string) {
  const [arrived, setArrived] = useState<Arrived | null>(null)
  const download = useRef(new AbortController())
  const stop = () => download.current.abort()
  useEffect(() => () => download.current.abort(), [])
  /** Returns whether the file has been saved. */
  const fetchFile = async (prepare: () => ArrivingFile | Promise<ArrivingFile>) => {
    download.current = new AbortController()
    const { signal } = download.current
    setArrived({ parts: 0, total: 0, bytes: 0 })
    try {
      await saveArriving(await prepare(), signal, setArrived)
      return true
    } catch (error) {
      if (!signal.aborted) reportFailure(error, failed)
      return false
    } finally {
      setArrived(null)
    }
  }
  return { arrived, fetchFile, stop }
}

async function saveArriving(
  { path, body, type, mark, name }: ArrivingFile,
  signal: AbortSignal,
  report: (arrived: Arrived) => void,
): Promise<void> {
  const response = await request(body ? 'POST' : 'GET', path, body, {}, signal)
  const total = Number(response.headers.get('x-total-files'))
  let [parts, bytes] = [0, 0]
  const file = await collect(response, type, (piece) => {
    parts += marksIn(piece, mark)
    bytes += piece.length
    report({ parts: Math.min(parts, total), total, bytes })
  })
  const given = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  saveFile(file, name ?? given ?? 'tessera.zip')
}

/** Reads a whole answer, and calls `onPiece` with each piece of it. @throws if it breaks off */
export async function collect(
  response: Response,
  type: string,
  onPiece: (bytes: Uint8Array) => void,
): Promise<Blob> {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  const reader = response.body?.getReader()
  for (;;) {
    const piece = await reader?.read()
    if (!piece || piece.done) return new Blob(pieces, { type })
    pieces.push(piece.value)
    onPiece(piece.value)
  }
}

const latin1 = new TextDecoder('latin1')

/** Counts the mark in these bytes. A mark that two pieces share is missed: this is for a bar only. */
export function marksIn(bytes: Uint8Array, mark: string): number {
  return latin1.decode(bytes).split(mark).length - 1
}
