import { afterAll, beforeAll } from 'vitest'

/**
 * Starts a thing before the tests of a block and stops it after them. Its properties are there from
 * `beforeAll` on.
 */
export function forBlock<Thing extends { stop: () => unknown }>(
  start: () => Promise<Thing>,
): Thing {
  const thing = {} as Thing
  beforeAll(async () => {
    const started = await start()
    Object.setPrototypeOf(thing, Object.getPrototypeOf(started))
    Object.assign(thing, started)
  })
  afterAll(async () => {
    await thing.stop()
  })
  return thing
}
