import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { AppError } from '../errors.ts'

/** Addresses of programs. A page has no other methods than to be read. */
const PROGRAMS = /^\/(api|oauth|\.well-known)\//
/** The addresses that programs of other sites read in browsers (https://fetch.spec.whatwg.org/#http-cors-protocol) */
const OPEN = /^\/(\.well-known\/oauth-|api\/openapi\.json$)/

/** The headers of an answer that pages of every site may read, without cookies */
export const openToSites = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
}

/** Knows which methods each address takes, of all routes that are added from now on. */
export class AllowedMethods {
  readonly #routes = new Map<string, { address: RegExp; methods: Set<string> }>()

  readonly add = ({ url, method }: RouteOptions): void => {
    if (!PROGRAMS.test(url) || url.includes('*')) return
    const address = new RegExp(`^${url.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`)
    const route = this.#routes.get(url) ?? { address, methods: new Set() }
    for (const each of [method].flat()) route.methods.add(each)
    this.#routes.set(url, route)
  }

  /**
   * Sends Allow to a request that no route takes because of its method (RFC 9110 §9.3.7, §15.5.6). Returns false if nothing has its address.
   * @throws AppError method_not_allowed
   */
  answer({ method, url }: FastifyRequest, reply: FastifyReply): boolean {
    const [path = ''] = url.split('?', 1)
    if (!PROGRAMS.test(path)) return false
    const found = [...this.#routes.values()].filter(({ address }) => address.test(path))
    if (found.length === 0) return false
    const allowed = [...new Set(found.flatMap(({ methods }) => [...methods]))].sort().join(', ')
    reply.header('allow', allowed)
    if (method !== 'OPTIONS')
      throw new AppError('method_not_allowed', `This address takes ${allowed}.`)
    if (OPEN.test(path)) {
      reply.headers({
        ...openToSites,
        'access-control-allow-methods': 'GET',
        'access-control-allow-headers': '*',
      })
    }
    reply.code(204).send()
    return true
  }
}
