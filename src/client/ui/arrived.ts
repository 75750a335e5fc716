import { useEffect, useState } from 'react'

/** Waits for a promise, and asks again when the key changes. The former value stays until the next has come. */
export function useArrived<Value>(
  ask: (() => Promise<Value>) | undefined,
  key: string,
): Value | undefined {
  const [value, setValue] = useState<Value>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says what is asked for
  useEffect(() => {
    let isCurrent = true
    void ask?.().then((arrived) => isCurrent && setValue(() => arrived))
    return () => {
      isCurrent = false
    }
  }, [key])
  return value
}
