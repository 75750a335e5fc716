import type { FastifyRequest } from 'fastify'
import type { z } from '#contract/zod.ts'

export type Issue = { path: string; message: string; code?: string }

/** The parts of a call in the order in which they are checked: their schemas' names and their own */
const PARTS = [
  ['params', 'params'],
  ['body', 'body'],
  ['querystring', 'query'],
  ['headers', 'headers'],
] as const

/** All that the schemas refuse in a call, from one of its parts on: the framework stops at the first that is wrong. */
export function wrongInputs(request: FastifyRequest, first: string = 'params'): Issue[] {
  const { schema = {} } = request.routeOptions
  const from = PARTS.findIndex(([part]) => part === first)
  return PARTS.slice(from).flatMap(([part, name]) => {
    const read = (schema[part] as z.ZodType | undefined)?.safeParse(request[name] ?? null)
    const issues = read?.error?.issues ?? []
    return issues.map(({ path, message, code }) => ({ path: path.join('.'), message, code }))
  })
}
