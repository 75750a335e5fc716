/** Whether the long property, race and kill tests run in full (`npm run soak`). */
export const isSoak = process.env.SOAK === '1'

/** How often a long test repeats: a fixed sample in CI, all of it in a soak. */
export const times = (sample: number, all: number) => (isSoak ? all : sample)

/** The seed of property tests: fixed in CI. A soak has another each time, which it prints at its end. */
export const seed = Number(process.env.SEED || 20_261_120)

/** Every nth of a list that is too long for a soak, too: in CI from the first, in a soak from where its seed says. */
export const everyNth = <Each>(all: readonly Each[], every: number): readonly Each[] => {
  const first = isSoak ? seed % every : 0
  return all.filter((_, index) => index % every === first)
}

/** Every nth of a long list in CI, and all of it in a soak. */
export const someOf = <Each>(all: readonly Each[], every: number): readonly Each[] =>
  isSoak ? all : everyNth(all, every)

/** Variants to test a case with: in CI one, so that all come in turn; in a soak each. */
export const inTurn = <Variant>(variants: readonly Variant[], index: number): readonly Variant[] =>
  isSoak ? variants : variants.slice(index % variants.length, (index % variants.length) + 1)
