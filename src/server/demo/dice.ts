import { hash } from 'node:crypto'

/** Chance that comes out the same way each time: everything follows from the seed. */
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

  /** One of these; each is as likely as its share of all weights. */
  pick<T>(choices: readonly (readonly [choice: T, weight: number])[]): T {
    let left = this.next() * choices.reduce((sum, [, weight]) => sum + weight, 0)
    const found = choices.find(([, weight]) => {
      left -= weight
      return left < 0
    })
    return (found ?? (choices.at(-1) as readonly [T, number]))[0]
  }
}
