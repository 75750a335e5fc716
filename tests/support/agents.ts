import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** An agent of tests/corpus/agents: what it is, and where it was found. */
export type KnownAgent = { is: string; source: string; agent: string; isHeldOut: boolean }

/**
 * Reads one list of agents, a line each: its kind, its source, the agent. The agent's digest decides
 * its half: rules are written with one half and tested with the other, which authors do not read.
 */
export function knownAgents(list: 'devices' | 'apps' | 'bots'): KnownAgent[] {
  const lines = readFileSync(`tests/corpus/agents/${list}.tsv`, 'utf8').trimEnd().split('\n')
  return lines.map((line) => {
    const [is = '', source = '', agent = ''] = line.split('\t')
    return { is, source, agent, isHeldOut: isHeldOut(agent) }
  })
}

function isHeldOut(agent: string): boolean {
  const [first = 0] = createHash('sha256').update(agent).digest()
  return first % 2 === 1
}

type Table = 'apps' | 'devices' | 'browsers' | 'systems' | 'previews'

/** Agents that each rule decides, by the rule's table and name. */
export const ruleExamples: Record<Table, Record<string, string[]>> = JSON.parse(
  readFileSync('tests/corpus/agents/examples.json', 'utf8'),
)
