/** Whether the long property, race and kill tests run in full (`npm run soak`). */
export const isSoak = process.env.SOAK === '1'

/** How often a long test repeats: a fixed sample in CI, all of it in a soak. */
export const times = (sample: number, all: number) => (isSoak ? all : sample)

/** The seed of property tests: fixed in CI. A soak has another each time, which it prints at its end. */
export const seed = Number(process.env.SEED || 20_261_120)

/** Every nth of a long list in CI, and all of it in a soak. */
export const someOf = <Each>(all: readonly Each[], every: number): readonly Each[] =>
  isSoak ? all : all.filter((_, index) => index % every === 0)

/** Every nth of a list that takes a soak too long; each seed begins at another place. */
export const everyNth = <Each>(all: readonly Each[], every: number): readonly Each[] =>
  all.filter((_, index) => index % every === seed % every)

/** Variants to test a case with: in CI one, so that all come in turn; in a soak each. */
export const inTurn = <Variant>(variants: readonly Variant[], index: number): readonly Variant[] =>
  isSoak ? variants : variants.slice(index % variants.length, (index % variants.length) + 1)
