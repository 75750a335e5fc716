type Kept<Key, Value> = {
  get: (key: Key) => Value | undefined
  set: (key: Key, value: Value) => unknown
}

/** Returns the value that is kept under a key. If there is none, it makes one and keeps it. */
export function orMade<Key, Value>(
  kept: Kept<Key, Value>,
  key: Key,
  make: (key: Key) => Value,
): Value {
  const known = kept.get(key)
  if (known !== undefined) return known
  const made = make(key)
  kept.set(key, made)
  return made
}
