export const METRICS_TOKEN = 'the token of the tests'

/** Reads a counter or gauge from GET /metrics; its name is given without `tessera_`. */
export async function metricOf({ origin }: { origin: string }, name: string): Promise<number> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
  const text = await (await fetch(`${origin}/metrics`, { headers })).text()
  return Number(new RegExp(`^tessera_${name} (\\d+)$`, 'm').exec(text)?.[1])
}
