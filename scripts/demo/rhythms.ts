import type { Dice } from './dice.ts'

/** When in a day people scan: around some hours (UTC), each with its spread and its weight. */
type Peak = readonly [hour: number, spread: number, weight: number]

/** How scans spread over a week, from Monday, and over a day. */
export type Rhythm = { week: readonly number[]; peaks: readonly Peak[] }

export const rhythms = {
  mealtimes: {
    week: [0.5, 0.75, 0.85, 0.95, 1.3, 1.55, 1.1],
    peaks: [
      [12.8, 0.9, 5],
      [19.2, 1.2, 6],
      [15.5, 1.5, 1],
    ],
  },
  evenings: {
    week: [0.7, 0.75, 0.85, 1, 1.5, 1.35, 0.85],
    peaks: [
      [18.9, 1.1, 7],
      [12.4, 0.8, 2],
    ],
  },
  brunch: {
    week: [0.1, 0.1, 0.15, 0.2, 0.45, 2.9, 3.1],
    peaks: [[10.9, 1.1, 1]],
  },
  cafe: {
    week: [0.85, 0.85, 0.9, 0.95, 1.1, 1.35, 1],
    peaks: [
      [9.2, 1, 4],
      [14.8, 1.9, 5],
    ],
  },
  afterMeals: {
    week: [0.5, 0.75, 0.85, 0.95, 1.3, 1.5, 1.15],
    peaks: [
      [14, 0.8, 3],
      [21.1, 1, 5],
    ],
  },
  nights: {
    week: [0.2, 0.4, 0.65, 1, 1.9, 2.2, 0.65],
    peaks: [[21.4, 1.2, 1]],
  },
  home: {
    week: [0.9, 0.85, 0.85, 0.9, 0.9, 1.25, 1.35],
    peaks: [
      [8.1, 1.1, 4],
      [19.9, 2, 4],
      [13, 2.5, 2],
    ],
  },
  office: {
    week: [1.3, 1.45, 1.45, 1.4, 1.1, 0.2, 0.1],
    peaks: [
      [10.4, 1.4, 1],
      [15, 1.6, 1],
    ],
  },
  street: {
    week: [0.95, 1, 1.05, 1.05, 1.15, 1.1, 0.7],
    peaks: [
      [8.3, 0.8, 4],
      [17.5, 1.2, 5],
      [12.7, 1.5, 3],
    ],
  },
  guests: {
    week: [0.75, 0.7, 0.75, 0.9, 1.5, 1.5, 0.9],
    peaks: [
      [17.2, 1.8, 5],
      [8.6, 1, 3],
      [22, 0.9, 2],
    ],
  },
  market: {
    week: [0, 0, 0, 0, 0, 7, 0],
    peaks: [[10.8, 1.3, 1]],
  },
} as const satisfies Record<string, Rhythm>

/** An hour of the day, with its fraction, at which somebody scans. */
export function hourOf({ peaks }: Rhythm, dice: Dice): number {
  const [hour, spread] = dice.pick(peaks.map((peak) => [peak, peak[2]] as const))
  const chosen = dice.normal(hour, spread)
  return Math.min(Math.max(chosen, 0), 23.99)
}
