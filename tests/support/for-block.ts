import { afterAll, beforeAll } from 'vitest'

type Hook = (run: () => Promise<void>) => void

/** Makes a thing in a hook: `beforeAll` or `beforeEach`. Its properties are there from then on. */
export function madeIn<Thing extends object>(hook: Hook, make: () => Promise<Thing>): Thing {
  const thing = {} as Thing
  hook(async () => {
    const made = await make()
    Object.setPrototypeOf(thing, Object.getPrototypeOf(made))
    Object.assign(thing, made)
  })
  return thing
}

/** Starts a thing before the tests of a block and stops it after them. */
export function forBlock<Thing extends { stop: () => unknown }>(
  start: () => Promise<Thing>,
): Thing {
  const thing = madeIn(beforeAll, start)
  afterAll(async () => {
    await thing.stop()
  })
  return thing
}
