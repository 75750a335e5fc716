import { timingSafeEqual } from 'node:crypto'

/** Compares secrets in the same time, whatever they are. */
export function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
