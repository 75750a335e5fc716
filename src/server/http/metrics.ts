/** A number for GET /metrics */
export type Metric = { name: string; help: string; type: 'counter' | 'gauge'; value: number }

/** A number that only grows. @param name without the prefix of all our metrics */
export const counter = (name: string, help: string, value: number): Metric => ({
  name: `tessera_${name}`,
  help,
  type: 'counter',
  value,
})

/** A number that goes up and down. @param name without the prefix of all our metrics */
export const gauge = (name: string, help: string, value: number): Metric => ({
  ...counter(name, help, value),
  type: 'gauge',
})

/** The Prometheus text format, version 0.0.4 */
export const exposition = (metrics: Metric[]): string =>
  metrics
    .map(({ name, help, type, value }) =>
      [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, `${name} ${value}`, ''].join('\n'),
    )
    .join('')
