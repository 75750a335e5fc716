import { isSoak } from '../soak.ts'

/** A fault of a request. `lag` reads the state at once and answers when `until` is over. */
export type Upset =
  | { kind: 'status'; status: 400 | 401 | 429 | 500 | 503; retry?: boolean }
  | { kind: 'reset'; done: boolean }
  | { kind: 'hang' }
  | { kind: 'lag'; until: () => Promise<unknown> }

type Choose = (request: string) => Upset | undefined

type Rule = { matches: RegExp; choose: Choose; left: number }

/**
 * Faults to test in turn. A fault that takes as long as the timeout of a call is left to the soak: one
 * test of stripe-embedded.test.ts has it in CI.
 */
export const inTime = (faults: [string, Upset][]) =>
  faults.filter(([, { kind }]) => isSoak || (kind !== 'hang' && kind !== 'lag'))

export const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Rules for what goes wrong, by method, path and query: `/^GET \/v1\/subscriptions\?/`. */
export class Upsets {
  #rules: Rule[] = []

  /** Adds a rule for the next `times` requests that match; answers how to lift it. */
  add(matches: RegExp, upset: Upset | Choose, times = Infinity): () => void {
    const choose = typeof upset === 'function' ? upset : () => upset
    const rule = { matches, choose, left: times }
    this.#rules.push(rule)
    return () => {
      this.#rules = this.#rules.filter((other) => other !== rule)
    }
  }

  next(request: string): Upset | undefined {
    const rule = this.#rules.find(({ matches, left }) => left > 0 && matches.test(request))
    if (!rule) return undefined
    rule.left -= 1
    return rule.choose(request)
  }

  clear() {
    this.#rules = []
  }
}
