/** Looks several keys up with one query. A key that leads to nothing is not in the answer. */
type ResolveAll<Found> = (keys: string[]) => Promise<Map<string, Found | undefined>>

/** Names in one query. More would be more answers in one turn of the event loop, for which all others wait. */
const NAMES_MAX = 8
/** A second query goes out while the first hangs. */
const QUERIES_MAX = 2

type Waiter<Found> = PromiseWithResolvers<Found | undefined> & { key: string }

/**
 * Looks names up together: those that arrive while the database answers share the next query. So a
 * stranger who tries many names costs little, and no visitor is refused, because any name may be printed.
 */
export function lookUpTogether<Found>(resolveAll: ResolveAll<Found>) {
  const waiting: Waiter<Found>[] = []
  let underWay = 0

  async function ask(batch: Waiter<Found>[]) {
    underWay++
    try {
      const found = await resolveAll(batch.map(({ key }) => key))
      for (const { key, resolve } of batch) resolve(found.get(key))
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      underWay--
      askNext()
    }
  }

  function askNext() {
    if (waiting.length > 0 && underWay < QUERIES_MAX) void ask(waiting.splice(0, NAMES_MAX))
  }

  return (key: string) => {
    const waiter: Waiter<Found> = { key, ...Promise.withResolvers() }
    waiting.push(waiter)
    askNext()
    return waiter.promise
  }
}
