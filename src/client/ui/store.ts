import { useSyncExternalStore } from 'react'

/** A value of the whole page. Components that use it are drawn again when it changes. */
export function createStore<Value>(initial: Value) {
  let value = initial
  const readers = new Set<() => void>()
  const get = () => value
  const subscribe = (reader: () => void) => {
    readers.add(reader)
    return () => readers.delete(reader)
  }
  return {
    get,
    set(next: Value) {
      value = next
      for (const reader of readers) reader()
    },
    use: () => useSyncExternalStore(subscribe, get),
  }
}
