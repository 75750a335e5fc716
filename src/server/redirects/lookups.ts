import type { Target } from '../codes/types.ts'
import type { Resolve } from './target-cache.ts'

/** Looks several names up with one query. Names without a live code are not in the answer. */
export type ResolveAll = (keys: string[]) => Promise<Map<string, Target>>

/**
 * Names in one query: each size is one prepared statement, filled up by repeating a name. More at a
 * time would be more answers in one turn of the event loop, for which all others wait.
 */
const SIZES = [1, 8]
const SIZE_MAX = 8
/** A second query goes out while the first hangs. */
const QUERIES_MAX = 2

type Waiter = {
  key: string
  resolve: (target: Target | undefined) => void
  reject: (error: unknown) => void
}

/**
 * Looks names up together: those that arrive while the database answers share the next query. So a
 * stranger who tries many names costs little, and no visitor is refused, because any name may be printed.
 */
export function lookUpTogether(resolveAll: ResolveAll): Resolve {
  const waiting: Waiter[] = []
  let underWay = 0

  async function ask(batch: Waiter[]) {
    underWay++
    try {
      const targets = await resolveAll(filled(batch.map(({ key }) => key)))
      for (const { key, resolve } of batch) resolve(targets.get(key))
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      underWay--
      askNext()
    }
  }

  function askNext() {
    if (waiting.length > 0 && underWay < QUERIES_MAX) void ask(waiting.splice(0, SIZE_MAX))
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      askNext()
    })
}

function filled(keys: string[]): string[] {
  const size = SIZES.find((each) => each >= keys.length) ?? SIZE_MAX
  return Array.from({ length: size }, (_, index) => keys[index % keys.length] ?? '')
}
