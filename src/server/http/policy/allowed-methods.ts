import { METHODS } from 'node:http'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import findMyWay, { type HTTPMethod } from 'find-my-way'
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
  readonly #router = findMyWay({ maxParamLength: Number.POSITIVE_INFINITY })

  readonly add = ({ url, method }: RouteOptions): void => {
    if (!PROGRAMS.test(url) || url.includes('*')) return
    for (const each of [method].flat() as HTTPMethod[]) {
      if (!this.#router.hasRoute(each, url)) this.#router.on(each, url, () => {})
    }
  }

  /**
   * Sends Allow to a request that no route takes because of its method (RFC 9110 §9.3.7, §15.5.6). Returns false if nothing has its address.
   * @throws AppError method_not_allowed
   */
  answer({ method, url }: FastifyRequest, reply: FastifyReply): boolean {
    const [path = ''] = url.split('?', 1)
    if (!PROGRAMS.test(path)) return false
    const methods = METHODS.filter((each) => this.#router.find(each as HTTPMethod, path))
    if (methods.length === 0) return false
    const allowed = methods.sort().join(', ')
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
