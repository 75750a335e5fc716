import { formatPercent } from '../formats.ts'

/** `short` is for the eye, `words` say the same in full. */
export type Change = { short: string; words: string }

/** A ratio as a difference: "+8%" and "8% more"; null if it is too small to see. */
export function differenceOf(ratio: number): Change | null {
  if (Math.round(100 * ratio) === 0) return null
  const size = formatPercent(Math.abs(ratio))
  return {
    short: `${ratio > 0 ? '+' : '−'}${size}`,
    words: `${size} ${ratio > 0 ? 'more' : 'fewer'}`,
  }
}
