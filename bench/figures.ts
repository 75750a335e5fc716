/** The value below which this share of all lies. */
export const quantile = (values: number[], share: number) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN

export const median = (values: number[]) => quantile(values, 0.5)

/** The median with the least and the most. */
export function spread(values: number[], digits = 0): string {
  const [middle, least, most] = [median(values), Math.min(...values), Math.max(...values)].map(
    (value) => value.toFixed(digits),
  )
  return `${middle} [${least} to ${most}]`
}
