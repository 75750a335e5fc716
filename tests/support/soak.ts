/** Whether the long property, race and kill tests run in full (`npm run soak`). */
export const isSoak = process.env.SOAK === '1'

/** How often a long test repeats: a fixed sample in CI, all of it in a soak. */
export const times = (sample: number, all: number) => (isSoak ? all : sample)

/** The seed of property tests: fixed in CI, so that a failure can be had again; open in a soak. */
export const seed = isSoak ? undefined : 20_261_120
