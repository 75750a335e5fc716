export const METRICS_TOKEN = 'the token of the tests'

/** What GET /metrics says of a counter or gauge, named without `tessera_`. */
export async function metricOf({ origin }: { origin: string }, name: string): Promise<number> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
  const text = await (await fetch(`${origin}/metrics`, { headers })).text()
  return Number(new RegExp(`^tessera_${name} (\\d+)$`, 'm').exec(text)?.[1])
}
