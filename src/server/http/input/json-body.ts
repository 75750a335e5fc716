import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { z } from '#contract/zod.ts'
import { programOf } from '../../actor.ts'
import { AppError, type Issue, invalidInput, wrongInputs } from '../errors.ts'
import { nearestName } from './nearest-name.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The call takes fields that its answer has and that can only be read, if their values are those of now. */
    takesAnswerBack?: boolean
  }

  interface FastifyRequest {
    /** The fields that can only be read, of a call that takes its answer back from a program */
    readOnly: Record<string, unknown> | null
  }
}

/** UTF-8 (RFC 8259 §8.1), and what is a part of it */
const CHARSETS = /^(utf-?8|us-ascii)$/i
const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)/i

/**
 * Takes JSON bodies: an empty one is none, as clients send it with DELETE, and a malformed one is refused
 * with the place of its fault. No body of any kind is taken compressed.
 */
export function takeJson(server: FastifyInstance) {
  const parse = server.getDefaultJsonParser('error', 'error')
  server.addHook('preParsing', refuseEncoded)
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const text = textOf(request, body as Buffer)
    if (text === '') return done(null, undefined)
    parse(request, text, (error, value) => {
      if (error) done(refusalOf(text))
      else done(null, value)
    })
  })
}

async function refuseEncoded({ method, headers }: FastifyRequest): Promise<void> {
  const encoding = headers['content-encoding'] ?? 'identity'
  if (method === 'GET' || method === 'HEAD' || encoding.toLowerCase() === 'identity') return
  throw new AppError('unsupported_media_type', 'Send the body without Content-Encoding.')
}

/** A body as the text that it is: a guess at bytes that are no UTF-8 would be kept. @throws AppError bad_request, unsupported_media_type */
export function textOf({ headers }: FastifyRequest, body: Buffer): string {
  const [, charset = 'utf-8'] = CHARSET.exec(headers['content-type'] ?? '') ?? []
  if (!CHARSETS.test(charset)) {
    throw new AppError('unsupported_media_type', 'Send the body in UTF-8 (charset=utf-8).')
  }
  const text = body.toString()
  if (isUtf8(body)) return text
  const place = Buffer.from(text).findIndex((byte, at) => byte !== body[at])
  throw new AppError('bad_request', `The body isn’t UTF-8: see the byte at position ${place}.`)
}

/** The refusal of a text that is not JSON, with what the engine found, such as "Unexpected token". */
function refusalOf(text: string): AppError {
  try {
    JSON.parse(text)
  } catch (error) {
    const { message } = error as Error
    return new AppError('bad_request', `The body isn’t valid JSON. ${message}`)
  }
  return new AppError('bad_request')
}

type Fields = Record<string, unknown>

/** A parameter that only defeats caches */
const CACHE_BUSTER = 't'
/** Fields that one answer names */
const NAMED_MAX = 50

/**
 * A preValidation hook: a program hears of each field and parameter that its call does not know, instead of
 * a change or a filter that silently does not happen, and with them of all else that is wrong. Browsers' own
 * calls leave out what they do not know.
 * @throws AppError invalid_input
 */
export async function refuseUnknown(request: FastifyRequest): Promise<void> {
  if (!programOf(request)) return
  const { schema = {}, config } = request.routeOptions
  const { [CACHE_BUSTER]: _, ...query } = request.query as Fields
  const parameters = unknownIn(schema.querystring as z.core.$ZodType | undefined, query)
  const issues = aboutAll(parameters, 'parameter')
  if (schema.body) {
    const unknown = unknownIn(schema.body as z.core.$ZodType, request.body)
    const readable = unknown.length > 0 ? answerFields(schema.response as Fields) : new Set()
    for (const each of unknown) {
      if (issues.length === NAMED_MAX) break
      const { path } = each
      if (!readable.has(path)) issues.push(about(each, 'field'))
      else if (config.takesAnswerBack)
        request.readOnly = { ...request.readOnly, [path]: (request.body as Fields)[path] }
      else issues.push(onlyRead(path))
    }
  }
  if (issues.length === 0) return
  throw invalidInput([...issues, ...wrongInputs(request).filter(isOther)].slice(0, NAMED_MAX))
}

/** A name that a schema does not know, and those that it has there */
type Unknown = { path: string; name: string; known: string[] }

function about({ path, name, known }: Unknown, kind: string): Issue {
  const meant = nearestName(name, known)
  const hint = meant === undefined ? '' : `. Did you mean ${meant}?`
  return { path, message: `Unknown ${kind}: ${path}${hint}` }
}

/** A misspelled name is compared with all known ones: so the first ones only. */
const aboutAll = (unknown: readonly Unknown[], kind: string) =>
  unknown.slice(0, NAMED_MAX).map((each) => about(each, kind))

/** Whether a schema has found something else than a field that it does not know */
const isOther = ({ code }: { code?: string }) => code !== 'unrecognized_keys'

/** All that is wrong with a value: the fields that its schema does not know, and what else that has found. */
export function issuesOf(schema: z.ZodType, value: unknown, found: z.core.$ZodIssue[]): Issue[] {
  const unknown = aboutAll(unknownIn(schema, value), 'field')
  const others = found.filter(isOther)
  return [...unknown, ...others.map(({ path, message }) => ({ path: path.join('.'), message }))]
}

/** The refusal of a field that only answers have */
export const onlyRead = (path: string): Issue => ({
  path,
  message: `You can read ${path}, but not change it. Leave it out.`,
})

/** The fields of a call's good answer */
function answerFields(answers: Fields = {}): Set<string> {
  const shapes = Object.values(answers).map((schema) => shapeOf(schema as z.core.$ZodType))
  return new Set(shapes.flatMap((shape) => Object.keys(shape)))
}

type Definition = {
  type: string
  shape?: Record<string, z.core.$ZodType>
  catchall?: z.core.$ZodType
  element?: z.core.$ZodType
  innerType?: z.core.$ZodType
  in?: z.core.$ZodType
}
const definitionOf = (schema: z.core.$ZodType) => schema._zod.def as Definition
const shapeOf = (schema: z.core.$ZodType) => definitionOf(schema).shape ?? {}
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The names in a value that a schema would leave out. The options of a union are not looked into. */
function unknownIn(schema: z.core.$ZodType | undefined, value: unknown, parent = ''): Unknown[] {
  const definition: Definition = schema ? definitionOf(schema) : { type: 'object' }
  if (definition.element && Array.isArray(value)) {
    const { element } = definition
    return value.flatMap((item, index) => unknownIn(element, item, `${parent}${index}.`))
  }
  if (definition.type !== 'object') {
    const inner = definition.innerType ?? definition.in
    return inner ? unknownIn(inner, value, parent) : []
  }
  const { shape = {}, catchall } = definition
  const takesAny = catchall !== undefined && definitionOf(catchall).type !== 'never'
  if (!isObject(value) || takesAny) return []
  return Object.entries(value).flatMap(([name, part]) => {
    const inner = Object.hasOwn(shape, name) ? shape[name] : undefined
    if (inner) return unknownIn(inner, part, `${parent}${name}.`)
    return [{ path: `${parent}${name}`, name, known: Object.keys(shape) }]
  })
}
