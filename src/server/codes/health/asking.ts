import { type IncomingMessage, STATUS_CODES } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { SECOND_MS } from '#contract/time.ts'
import { type Guard, guardedRequests, whyNot } from '../../http/guarded-request.ts'
import { type Answer, healthOf } from './judge.ts'

const HOPS_MAX = 5

export type AskingOptions = Pick<Guard, 'allow' | 'tls'> & {
  publicUrl: string
  /** The pause between two requests to one host */
  pause?: (stopping: AbortSignal) => Promise<void>
}

/** Asks destinations whether they are there. It never throws, reads no page, and reaches only what webhooks reach. */
export function destinationAsking({ allow, tls, publicUrl, pause }: AskingOptions) {
  const request = guardedRequests({ allow, tls, takesHttp: true })
  const turn = hostTurns(pause ?? aSecond)
  const headers = { 'user-agent': `TesseraCheck/1 (+${publicUrl}/api/checks)`, accept: '*/*' }

  /** Some servers answer HEAD otherwise than GET, which is what visitors send. */
  return async (address: string, stopping: AbortSignal): Promise<Answer> => {
    const answer = await follow('HEAD', address, stopping)
    return healthOf(answer) === 'alive' ? answer : follow('GET', address, stopping)
  }

  async function follow(method: string, address: string, signal: AbortSignal): Promise<Answer> {
    let url = new URL(address)
    for (let hops = 0; ; hops++) {
      await turn(url.hostname, signal)
      const response = await request(url, { method, headers, signal }).catch((error) => error)
      if (response instanceof Error) return refused(response)
      response.destroy()
      const next = hops < HOPS_MAX && placeAfter(response, url)
      if (!next) return answered(response)
      url = next
    }
  }
}

export type Asking = ReturnType<typeof destinationAsking>

/** Ends at once when the server stops. */
const aSecond = (signal: AbortSignal) =>
  wait(SECOND_MS, undefined, { ref: false, signal }).catch(() => {})

const refused = (error: Error & { code?: string }): Answer => ({
  status: null,
  reason: error.code,
  seen: whyNot(error),
})

const answered = ({ statusCode: status = 0, headers }: IncomingMessage): Answer => ({
  status,
  isChallenge: headers['cf-mitigated'] === 'challenge',
  seen: `${status} ${STATUS_CODES[status] ?? ''}`.trimEnd(),
})

/** Where a redirect leads on the web; null for an app's address, and without a redirect. */
function placeAfter({ statusCode = 0, headers }: IncomingMessage, from: URL): URL | null {
  if (statusCode < 300 || statusCode >= 400 || !headers.location) return null
  const url = URL.parse(headers.location, from)
  return url && /^https?:$/.test(url.protocol) ? url : null
}

/** Lets the requests to one host begin one after the other, with a pause between two. */
export function hostTurns(pause: NonNullable<AskingOptions['pause']>) {
  const busy = new Map<string, Promise<void>>()
  return async (host: string, stopping: AbortSignal): Promise<void> => {
    const before = busy.get(host) ?? Promise.resolve()
    const mine = before
      .then(() => pause(stopping))
      .then(() => {
        if (busy.get(host) === mine) busy.delete(host)
      })
    busy.set(host, mine)
    await before
  }
}
