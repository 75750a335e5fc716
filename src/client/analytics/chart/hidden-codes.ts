import { useSyncExternalStore } from 'react'

/** The codes that somebody has taken out of the chart, by label, for as long as the page is open. */
let hidden: ReadonlySet<string> = new Set()
const readers = new Set<() => void>()

const read = () => hidden

function subscribe(reader: () => void): () => void {
  readers.add(reader)
  return () => readers.delete(reader)
}

export function toggleCode(label: string): void {
  const next = new Set(hidden)
  if (!next.delete(label)) next.add(label)
  setHidden(next)
}

export function showAllCodes(): void {
  setHidden(new Set())
}

function setHidden(next: ReadonlySet<string>): void {
  hidden = next
  for (const reader of readers) reader()
}

export const useHiddenCodes = () => useSyncExternalStore(subscribe, read)
