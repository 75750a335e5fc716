import { hash } from 'node:crypto'

/** Chance that falls the same way each time: all that is thrown follows from the seed. */
export class Dice {
  #state: number

  constructor(seed: string) {
    this.#state = Number.parseInt(hash('sha256', seed).slice(0, 8), 16)
  }

  /** From 0 up to but not including 1. The generator is mulberry32, which is in the public domain. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.next()
  }

  /** A whole number from 0 up to but not including `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end)
  }

  /** One of these; each is as likely as its share of all weights. */
  pick<T>(choices: readonly (readonly [choice: T, weight: number])[]): T {
    let left = this.next() * choices.reduce((sum, [, weight]) => sum + weight, 0)
    const found = choices.find(([, weight]) => {
      left -= weight
      return left < 0
    })
    return (found ?? (choices.at(-1) as readonly [T, number]))[0]
  }

  /** Normally distributed (Box and Muller). */
  normal(mean: number, deviation: number): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.next()))
    return mean + deviation * radius * Math.cos(2 * Math.PI * this.next())
  }

  /** How often something happens that happens `mean` times on average (Knuth; for many, nearly normal). */
  count(mean: number): number {
    if (mean > 30) return Math.max(0, Math.round(this.normal(mean, Math.sqrt(mean))))
    const limit = Math.exp(-mean)
    let count = 0
    for (let product = this.next(); product > limit; product *= this.next()) count++
    return count
  }
}
