import { expect, onTestFinished, test, vi } from 'vitest'
import { fetchScans } from '../../../src/client/analytics/drawer/download/scans-file.tsx'

const text = (words: string) => new TextEncoder().encode(words)

/** A server that sends these pieces, and then ends or breaks off. */
function answering(pieces: string[], broken?: Error) {
  const left = [...pieces]
  const body = new ReadableStream<Uint8Array>({
    pull: (stream) => {
      const piece = left.shift()
      if (piece !== undefined) stream.enqueue(text(piece))
      else if (broken) stream.error(broken)
      else stream.close()
    },
  })
  vi.stubGlobal('fetch', async () => new Response(body))
  onTestFinished(() => void vi.unstubAllGlobals())
}

const PIECES = ['Time,Code\r\n1,Menu', '\r\n2,Menu\r\n', '3,Menu\r\n']

test('a file of scans tells how many of them have come', async () => {
  answering(PIECES)
  const told: number[] = []
  const { signal } = new AbortController()
  const file = await fetchScans('?tz=UTC', { signal, tell: (scans) => told.push(scans) })
  expect(told).toEqual([0, 2, 3])
  expect(await file.text()).toBe(PIECES.join(''))
})

test('a file that breaks off is refused', async () => {
  answering(PIECES, new TypeError('broken off'))
  const { signal } = new AbortController()
  await expect(fetchScans('?tz=UTC', { signal, tell: () => {} })).rejects.toThrow('broken off')
})
