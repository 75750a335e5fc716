/** The name of what no rule knows: a report then has a word for every scan. */
export const OTHER = 'Other'

/** One thing that User-Agents are known by. tests/corpus/agents/examples.json has agents for each. */
export type Rule = {
  /** Its name in the ledger and the reports; rows keep it, so it stays. */
  name: string
  pattern: RegExp
}

/** The first of the rules that knows the agent. */
export function firstOf<R extends Rule>(rules: readonly R[], agent: string): R | undefined {
  return rules.find(({ pattern }) => pattern.test(agent))
}
