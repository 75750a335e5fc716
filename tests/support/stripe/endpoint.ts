import type { z } from '../../../src/contract/zod.ts'
import type { Books } from './books.ts'
import { missing } from './refusals.ts'

/** One request of Stripe's API: its parameters, and what it does with them. */
export type Endpoint = {
  route: string
  takes: z.ZodType
  answer: (books: Books, params: never, id: string) => unknown
}

export function endpoint<Params extends z.ZodType>(
  route: string,
  takes: Params,
  answer: (books: Books, params: z.output<Params>, id: string) => unknown,
): Endpoint {
  return { route, takes, answer: answer as Endpoint['answer'] }
}

type Paging = { limit?: number | undefined; starting_after?: string | undefined }

/** A page of a list, newest first. */
export function page<T extends { id: string }>(all: Iterable<T>, path: string, paging: Paging) {
  const newestFirst = [...all].reverse()
  const { limit = 10, starting_after } = paging
  const after = newestFirst.findIndex(({ id }) => id === starting_after)
  if (starting_after && after < 0) throw missing('object', starting_after, 'starting_after')
  const data = newestFirst.slice(after + 1, after + 1 + limit)
  return { object: 'list', url: path, data, has_more: after + 1 + limit < newestFirst.length }
}
