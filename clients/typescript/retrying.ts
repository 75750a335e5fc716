export type RetryOptions = {
  /** How often a call is sent at most; 4 if absent. */
  attempts?: number
  /** The longest that a call waits before the next try, in seconds; 60 if absent. A server that asks for longer is not asked again. */
  longestWait?: number
  /** Sends a request; the global fetch if absent. */
  fetch?: typeof fetch
}

/** The statuses after which nothing has changed, so that the same call can be sent again. */
const RETRIED = [429, 503]

/** A `fetch` that repeats a call after 429 and 503, when `Retry-After` (RFC 9110 §10.2.3) has passed. */
export function retrying({
  attempts = 4,
  longestWait = 60,
  fetch: send = fetch,
}: RetryOptions): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    for (let attempt = 1; ; attempt++) {
      const response = await send(request.clone())
      const seconds = secondsToWait(response, attempt)
      const isLast = attempt >= attempts || seconds > longestWait
      if (isLast || !RETRIED.includes(response.status)) return response
      await response.body?.cancel()
      await pause(seconds, request.signal)
    }
  }
}

/** The seconds that a response names as a number or as a date; else 1, 2, 4, … */
function secondsToWait({ headers }: Response, attempt: number): number {
  const named = headers.get('retry-after') ?? ''
  if (/^\d+$/.test(named)) return Number(named)
  const left = (Date.parse(named) - Date.now()) / 1000
  return Number.isNaN(left) ? 2 ** (attempt - 1) : Math.max(0, left)
}

/** @throws the signal's reason once it is aborted */
function pause(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const end = () => reject(signal.reason)
    signal.addEventListener('abort', end, { once: true })
    setTimeout(() => {
      signal.removeEventListener('abort', end)
      resolve()
    }, seconds * 1000)
  })
}
