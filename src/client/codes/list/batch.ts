import { isUnauthorized } from '../../api.ts'

/** Calls under way at once: enough to be quick, few enough to leave the server to others. */
const ABREAST = 4

export type BatchOutcome = { done: number; errors: unknown[] }

type Options = {
  /** Told after each one, how many have been tried. */
  onProgress: (tried: number) => void
  /** Ends the work early: what has begun is finished. */
  signal: AbortSignal
}

/** Does the same to many, a few at a time. One that fails holds up no other; an ended session ends all. */
export async function doToAll<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<unknown>,
  { onProgress, signal }: Options,
): Promise<BatchOutcome> {
  const left = items.values()
  const errors: unknown[] = []
  let tried = 0
  const isOver = () => signal.aborted || errors.some(isUnauthorized)
  const work = async () => {
    for (const item of left) {
      await act(item).catch((error: unknown) => errors.push(error))
      onProgress(++tried)
      if (isOver()) return
    }
  }
  if (!isOver()) await Promise.all(Array.from({ length: ABREAST }, work))
  return { done: tried - errors.length, errors }
}
