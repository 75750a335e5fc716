import { ApiError } from '../api.ts'

/** What has arrived of a file that the server makes while it sends it: parts that have begun, of how many. */
export type Arrived = { parts: number; total: number }

type Asked = {
  path: string
  body: unknown
  type: string
  /** The bytes that each part begins with */
  mark: string
  signal: AbortSignal
  tell: (arrived: Arrived) => void
}

/** Asks for a file, and tells how much of it is there. @throws ApiError */
export async function fetchArriving({
  path,
  body,
  type,
  mark,
  signal,
  tell,
}: Asked): Promise<Blob> {
  const response = await fetch(path, {
    method: 'POST',
    credentials: 'include',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  })
  const { status, statusText, headers } = response
  if (!response.ok || !response.body) throw new ApiError(status, statusText, await response.text())
  const total = Number(headers.get('x-total-files'))
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let parts = 0
  const reader = response.body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    pieces.push(value)
    parts += marksIn(value, mark)
    tell({ parts: Math.min(parts, total), total })
  }
  return new Blob(pieces, { type })
}

const latin1 = new TextDecoder('latin1')

/** How often the mark is in these bytes. One that two pieces share is missed: this is for a bar only. */
function marksIn(bytes: Uint8Array, mark: string): number {
  return latin1.decode(bytes).split(mark).length - 1
}
