/** What goes wrong with a request. `lag` reads the state at once and answers late. */
export type Upset =
  | { kind: 'status'; status: 429 | 500 | 503; retry?: boolean }
  | { kind: 'reset'; done: boolean }
  | { kind: 'hang' }
  | { kind: 'lag'; ms: () => number }

type Rule = { matches: RegExp; upset: () => Upset | undefined; left: number }

/** Rules for what is to go wrong, by method and path: `/^GET \/v1\/subscriptions/`. */
export class Upsets {
  #rules: Rule[] = []

  /** Adds a rule for the next `times` requests that match; answers how to lift it. */
  add(matches: RegExp, upset: Upset | (() => Upset | undefined), times = Infinity): () => void {
    const rule = { matches, upset: typeof upset === 'function' ? upset : () => upset, left: times }
    this.#rules.push(rule)
    return () => {
      this.#rules = this.#rules.filter((other) => other !== rule)
    }
  }

  next(request: string): Upset | undefined {
    const rule = this.#rules.find(({ matches, left }) => left > 0 && matches.test(request))
    if (!rule) return undefined
    rule.left -= 1
    return rule.upset()
  }

  clear() {
    this.#rules = []
  }
}
