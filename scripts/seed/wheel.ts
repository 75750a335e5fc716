/** Draws indexes, each as often as its share of all weights. */
export class Wheel {
  readonly #sums: Float64Array

  constructor(weights: readonly number[]) {
    this.#sums = new Float64Array(weights.length)
    let sum = 0
    for (const [index, weight] of weights.entries()) {
      sum += weight
      this.#sums[index] = sum
    }
  }

  /** @param chance from 0 up to but not including 1 */
  at(chance: number): number {
    let [low, high] = [0, this.#sums.length - 1]
    const target = chance * (this.#sums[high] ?? 0)
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#sums[middle] ?? 0) <= target) low = middle + 1
      else high = middle
    }
    return low
  }
}
