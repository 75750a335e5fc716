import { useSyncExternalStore } from 'react'

/** Whether this page gets scans as they come. */
let isLive = false
const readers = new Set<() => void>()

export function setLive(next: boolean): void {
  if (next === isLive) return
  isLive = next
  for (const reader of readers) reader()
}

function subscribe(reader: () => void): () => void {
  readers.add(reader)
  return () => readers.delete(reader)
}

export const useIsLive = () => useSyncExternalStore(subscribe, () => isLive)
