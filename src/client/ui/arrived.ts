import { useEffect, useState } from 'react'

/** What a promise brings, asked for again with another key. Until it comes, the former value stays. */
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
