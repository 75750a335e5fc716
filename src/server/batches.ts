/** These in batches, one after the other. A batch ends with the one that makes it `most`, counted by `sizeOf`. */
export function* batchesOf<Each>(
  all: Iterable<Each>,
  most: number,
  sizeOf: (each: Each) => number = () => 1,
): Generator<Each[], undefined> {
  let batch: Each[] = []
  let size = 0
  for (const each of all) {
    batch.push(each)
    size += sizeOf(each)
    if (size < most) continue
    yield batch
    batch = []
    size = 0
  }
  if (batch.length > 0) yield batch
}
