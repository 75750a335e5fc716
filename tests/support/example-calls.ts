import { isDeepStrictEqual } from 'node:util'
import type { Example } from '../../scripts/api-document/groups.ts'

/*
 * The examples of the API's description as calls of a real server. What differs from server to server
 * stands in them as it could be: the first answer that has it says what it is here.
 */

/** Fields of which each server has its own */
const OWN = new Set([
  ...['id', 'email', 'shortCode', 'pictureVersion', 'link', 'nextCursor'],
  ...['eventId', 'secret', 'payload'],
])
/** Properties that are known only after a check has run, or DNS has answered */
const LATER = new Set(['legibility', 'damageMargin', 'reach', 'records', 'tookMs'])
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

export class ExampleCalls {
  readonly #real: Map<string, string>

  /** @param real what this server has in place of texts of the examples */
  constructor(real: Record<string, string>) {
    this.#real = new Map(Object.entries(real))
  }

  /** The same example with what this server has in place of what the example says. */
  path(url: string, { path = {}, query }: Example): string {
    const filled = url.replace(/:(\w+)/g, (_, name: string) => this.#known(path[name] ?? ''))
    return query ? `${filled}?${new URLSearchParams(this.body(query))}` : filled
  }

  body<Body>(body: Body): Body {
    return JSON.parse(JSON.stringify(body), (_, value) =>
      typeof value === 'string' ? this.#known(value) : value,
    )
  }

  /** Where the answer is not as the example says: a path such as `items.0.name`, or undefined. */
  difference(said: unknown, real: unknown, at = ''): string | undefined {
    const name = at.split('.').at(-1) ?? ''
    if (LATER.has(name)) return undefined
    if (typeof said === 'string' && typeof real === 'string') {
      if (this.#known(said) === real) return undefined
      if (OWN.has(name)) return this.#learn(said, real, at)
      return INSTANT.test(said) && INSTANT.test(real) ? undefined : at
    }
    if (typeof said !== 'object' || typeof real !== 'object' || !said || !real) {
      return isDeepStrictEqual(said, real) ? undefined : at
    }
    const names = new Set([...Object.keys(said), ...Object.keys(real)])
    for (const key of names) {
      const [one, other] = [said, real].map((whole) => (whole as Record<string, unknown>)[key])
      const found = this.difference(one, other, at === '' ? key : `${at}.${key}`)
      if (found !== undefined) return found
    }
    return undefined
  }

  /** An answer to write down: in place of what this server has, what the examples say. */
  told(real: unknown): unknown {
    const said = new Map([...this.#real].map(([text, real]) => [real, text]))
    return JSON.parse(JSON.stringify(real), (_, value) => said.get(value) ?? value)
  }

  #learn(said: string, real: string, at: string): string | undefined {
    const known = this.#real.get(said)
    this.#real.set(said, real)
    return known === undefined || known === real || !at.endsWith('id') ? undefined : at
  }

  #known(text: string): string {
    return this.#real.get(text) ?? text
  }
}
