import type { Metric } from './operations.ts'
import type { Turns } from './turns.ts'

/** What GET /metrics says of a queue: `tessera_<name>_waiting`, `_under_way` and `_refused_total`. */
export function queueMetrics(name: string, what: string, turns: Turns): Metric[] {
  const named = (part: string) => `tessera_${name}_${part}`
  return [
    {
      name: named('waiting'),
      help: `${what} that wait for their turn`,
      type: 'gauge',
      value: turns.waiting,
    },
    {
      name: named('under_way'),
      help: `${what} under way`,
      type: 'gauge',
      value: turns.underWay,
    },
    {
      name: named('refused_total'),
      help: `${what} refused because too many waited`,
      type: 'counter',
      value: turns.refused,
    },
  ]
}
