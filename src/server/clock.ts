/** The present, handed in so that tests can choose it. */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()
