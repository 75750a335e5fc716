import type { ErrorCode } from '#contract/errors.ts'
import { errorTable } from '#contract/errors.ts'
import { type AnswerHeader, everyAnswer } from './answer-headers.ts'
import { type Example, type Words, wordsFor } from './groups.ts'
import type { Answer, Call, Media, Parameter } from './open-api.ts'
import { inWords, refusalsOf } from './refusals.ts'
import type { PlainRoute } from './route-schemas.ts'

/** Statuses whose refusals are the same for every call: they stand once in the document. */
export const sharedRefusals = [401, 429, 500, 503]

const goodWords: Record<number, string> = {
  200: 'Done.',
  201: 'Made.',
  202: 'Under way.',
  204: 'Done. There is no body.',
}

/** A call as the schemas have it, with its words, its example and all that it can answer. */
export function completed(route: PlainRoute, call: Call): Call {
  const words = wordsFor(route.method, route.url)
  const { example } = words ?? {}
  return {
    operationId: words?.name ?? idOf(route),
    tags: words ? [words.group] : [],
    summary: words?.summary ?? inWordsOf(words?.name ?? idOf(route)),
    ...(words?.description && { description: words.description }),
    security: [{ apiKey: [route.key] }],
    ...(call.parameters && {
      parameters: call.parameters.map((parameter) => withExample(spelled(parameter), example)),
    }),
    ...bodyOf(call, words),
    responses: { ...goodAnswers(call, replaying(call, words)), ...refusals(route, words) },
  }
}

/** A call that is made once for a key says if its answer is an earlier one. */
function replaying({ parameters = [] }: Call, words: Words | undefined): Words | undefined {
  const asksOnce = parameters.some(({ name }) => name === 'idempotency-key')
  if (!words || !asksOnce) return words
  return { ...words, headers: [...(words.headers ?? []), 'Idempotency-Replayed'] }
}

const idOf = ({ method, url }: PlainRoute) =>
  `${method.toLowerCase()}${url.replace(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase())}`

/** A name in words: `changeTag` is 'Change a tag'. */
function inWordsOf(name: string): string {
  const lower = name.replace(/[A-Z]/g, ' $&').toLowerCase().replace('qr code', 'QR code')
  const [, verb = '', thing = ''] = /^(\w+) ?(.*)$/.exec(lower) ?? []
  const article = thing.endsWith('s') ? '' : /^[aeiou]/.test(thing) ? 'an ' : 'a '
  return `${verb.charAt(0).toUpperCase()}${verb.slice(1)} ${article}${thing}`
}

/** Node gives headers in small letters. */
function spelled(parameter: Parameter): Parameter {
  if (parameter.in !== 'header') return parameter
  const name = parameter.name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())
  return { ...parameter, name }
}

function withExample(parameter: Parameter, example: Example | undefined): Parameter {
  const { name, in: place } = parameter
  const values = { path: example?.path, query: example?.query, header: example?.headers }
  const from = Object.entries(values[place as keyof typeof values] ?? {})
  const value = from.find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1]
  if (value === undefined) return parameter
  const isNumber = parameter.schema.type === 'integer' || parameter.schema.type === 'number'
  return { ...parameter, example: isNumber ? Number(value) : value }
}

function bodyOf({ requestBody }: Call, words: Words | undefined): Pick<Call, 'requestBody'> {
  if (words?.takes) {
    const content = mediaOf(words.takes, { schema: { type: 'string', format: 'binary' } })
    const [type = ''] = words.takes
    const example = { ...content[type], example: words.example.body }
    return { requestBody: { required: true, content: { ...content, [type]: example } } }
  }
  if (!requestBody) return {}
  const body = words?.example.body
  const json = requestBody.content['application/json']
  const media = { ...json, ...(body !== undefined && { example: body }) }
  return { requestBody: { ...requestBody, content: { 'application/json': media } } }
}

const mediaOf = (types: readonly string[], media: Media) =>
  Object.fromEntries(types.map((type) => [type, media]))

function goodAnswers({ responses }: Call, words: Words | undefined): Call['responses'] {
  const also = Object.entries(words?.also ?? {}).map(([status, description]) => [
    status,
    { description },
  ])
  return { ...goodOnes(responses, words), ...Object.fromEntries(also) }
}

function goodOnes(responses: Call['responses'], words: Words | undefined): Call['responses'] {
  const { file, gives = file && [file], headers: more = [] } = words ?? {}
  const named = file ? (['Content-Disposition'] as const) : []
  const headers = headersOf(...everyAnswer, ...named, ...more)
  const { status = 200, body } = words?.example.answer ?? {}
  const described = (status: number) => ({ description: goodWords[status] ?? 'Done.', headers })
  if (gives) {
    const content = mediaOf(gives, { schema: { type: 'string', format: 'binary' } })
    return { [status]: { ...described(status), content } }
  }
  // A route without schemas answers nothing: the framework's own words would promise a text.
  if (body === undefined) return { [status]: described(status) }
  const answers = Object.entries(responses).map(([known, answer]) => {
    const json = 'content' in answer ? answer.content?.['application/json'] : undefined
    const example = Number(known) === status && body !== undefined && { example: body }
    const content = json && { content: { 'application/json': { ...json, ...example } } }
    return [known, { ...described(Number(known)), ...content }]
  })
  return Object.fromEntries(answers)
}

export const headersOf = (...names: AnswerHeader[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

function refusals(route: PlainRoute, words: Words | undefined): Call['responses'] {
  const answers = [...refusalsOf(route, words)].map(([status, codes]) => [
    status,
    sharedRefusals.includes(status) ? { $ref: `#/components/responses/${status}` } : refusal(codes),
  ])
  return Object.fromEntries(answers)
}

/** An answer of the contract's one shape, with the codes that it can have. */
export function refusal(codes: readonly ErrorCode[], ...headers: AnswerHeader[]): Answer {
  const [first = 'internal'] = codes
  const example = { message: errorTable[first].message, code: first }
  return {
    description: inWords(codes),
    headers: headersOf(...headers),
    content: {
      'application/json': { schema: { $ref: '#/components/schemas/Error' }, example },
    },
  }
}
