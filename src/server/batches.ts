/** These in batches of at most `most`, one after the other. */
export function* batchesOf<Each>(all: readonly Each[], most: number): Generator<Each[]> {
  for (let start = 0; start < all.length; start += most) yield all.slice(start, start + most)
}
