import type { DrawingPool } from './drawing-pool.ts'

/** The drawing pool's counters for GET /metrics. */
export function drawingMetrics({ counts, threads, waiting }: DrawingPool) {
  return [
    counter(
      'drawings_total',
      'Pictures, archives and scan checks that were made',
      counts.performed,
    ),
    counter('drawings_refused_total', 'Those refused because too many waited', counts.refused),
    gauge('drawings_waiting', 'Those that wait for a thread', waiting),
    gauge('drawing_threads', 'Threads that draw, at work or resting', threads),
  ]
}

const counter = (name: string, help: string, value: number) =>
  ({ name: `tessera_${name}`, help, type: 'counter', value }) as const

const gauge = (name: string, help: string, value: number) =>
  ({ name: `tessera_${name}`, help, type: 'gauge', value }) as const
