import type { CallToolResult, Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js'
import { tagOf, uuidOf } from '#contract/codes/code-values.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { KeyScope } from '#contract/integrations/api-keys.ts'
import { z } from '#contract/zod.ts'
import { AppError, invalidInput, toAppError } from '../../http/errors.ts'
import { issuesOf } from '../../http/input/json-body.ts'
import type { Asked, InnerCalls } from '../inner-calls.ts'
import { listedSchema } from './listed-schema.ts'

/** The parts of the server and of the request that a tool uses. */
export type Setting = { calls: InnerCalls; publicUrl: string }

/** The hints of tools by what they do: https://modelcontextprotocol.io/specification/2025-11-25/schema#toolannotations */
const hintsOf = {
  reads: { readOnlyHint: true, destructiveHint: false },
  adds: { readOnlyHint: false, destructiveHint: false },
  /** Or removes */
  replaces: { readOnlyHint: false, destructiveHint: true },
}
const effectOf = { GET: 'reads', POST: 'adds', PATCH: 'replaces', DELETE: 'replaces' } as const
type Method = keyof typeof effectOf

type About<Input extends z.ZodRawShape> = {
  name: string
  /** For people */
  title: string
  /** In plain words, for a model */
  description: string
  /** The API's call that does its work. The text in place of its `:id` is a field of the input. */
  call: `${Method} /api/${string}`
  /** If the call's method doesn't say it */
  effect?: keyof typeof hintsOf
  /** A second call with the same input changes nothing more, as of all that replace. */
  isIdempotent?: boolean
  /** Asks servers that aren't ours, such as DNS */
  isOpenWorld?: boolean
  /** The fields of the call's path, query and body, and its headers as `version` and `idempotencyKey` */
  input?: Input | z.ZodObject<Input>
  /** The object that it answers with, which its text repeats for clients that read only text */
  output?: z.ZodType
  /** The field in which it answers with a list of such objects */
  list?: string
  /** Its answer in words, if it answers with no object */
  done?: string
}

/** A tool as the server keeps it. */
export type Tool = {
  listed: ListedTool
  /** Which keys and apps may use it */
  scope: KeyScope
  run: (input: unknown, setting: Setting) => Promise<CallToolResult>
}

/** Makes the tool's call with these fields. */
type Ask = <Answer extends z.ZodType>(fields: Given, answer: Answer) => Promise<z.output<Answer>>
type Run<Input extends z.ZodRawShape> = (
  input: z.output<z.ZodObject<Input>>,
  setting: Setting & { ask: Ask; path: string },
) => Promise<unknown>

/**
 * A tool of the API's calls.
 * @param run makes its answer: an object if it has an `output`, else content. Without it the call does.
 */
export function tool<Input extends z.ZodRawShape>(about: About<Input>, run?: Run<Input>): Tool {
  const { name, title, description, output = z.unknown(), list, done } = about
  const [method, path] = about.call.split(' ') as [Method, string]
  const effect = about.effect ?? effectOf[method]
  const given = about.input ?? {}
  const input = (given instanceof z.ZodObject ? given : z.strictObject(given)) as z.ZodObject<Input>
  const hasBody = method !== 'GET' && Object.keys(input.shape).some((key) => !NOT_IN_BODY.has(key))
  const callOf = (fields: Given) => ({ method, ...askedOf(path, fields, hasBody) })
  const answered = list ? z.array(output) : output
  const outputs = list ? z.strictObject({ [list]: answered }) : about.output
  return {
    listed: {
      name,
      title,
      description,
      inputSchema: listedSchema(input, 'input'),
      ...(outputs && { outputSchema: listedSchema(outputs, 'output') }),
      annotations: {
        ...hintsOf[effect],
        idempotentHint: about.isIdempotent ?? effect !== 'adds',
        openWorldHint: about.isOpenWorld ?? false,
      },
    },
    scope: effect === 'reads' ? 'read' : 'write',
    run: async (sent, setting) => {
      try {
        const read = input.safeParse(sent)
        if (!read.success) throw invalidInput(issuesOf(input, sent, read.error.issues))
        const { calls } = setting
        const asked = callOf(read.data)
        if (done !== undefined) {
          await calls.bytes(asked)
          return { content: [{ type: 'text', text: done }] }
        }
        const ask: Ask = (fields, answer) => calls.json(answer, callOf(fields))
        const answer = run
          ? await run(read.data, { ...setting, ask, path: asked.path })
          : await calls.json(answered, asked)
        if (!outputs) return answer as CallToolResult
        const data = (list ? { [list]: answer } : answer) as Record<string, unknown>
        return { content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data }
      } catch (error) {
        const refusal = toAppError(error)
        if (refusal.code === 'internal') throw error
        return refused(refusal)
      }
    },
  }
}

type Given = Record<string, unknown>
const NOT_IN_BODY = new Set(['id', 'version', 'idempotencyKey', 'qr'])

function askedOf(path: string, given: Given, hasBody: boolean): Asked {
  const { id, version, idempotencyKey, ...fields } = given
  const { qr, ...body } = fields
  return {
    path: id === undefined ? path : path.replace(':id', idIn(path, `${id}`)),
    query: (hasBody ? { qr } : fields) as Asked['query'],
    headers: {
      'if-match': version === undefined ? undefined : tagOf(Number(version)),
      'idempotency-key': idempotencyKey as string | undefined,
    },
    ...(hasBody && { body }),
  }
}

/** The refusals of calls on what isn't there, by the first part of their path */
const missing: Record<string, ErrorCode> = {
  'qr-codes': 'code_not_found',
  domains: 'domain_not_found',
  analytics: 'share_not_found',
}

/** A text that isn't an id would lead to another call, as `bin` and `..` do. */
function idIn(path: string, text: string): string {
  const id = uuidOf(text)
  if (!id) throw new AppError(missing[path.split('/')[2] ?? ''] ?? 'not_found')
  return id
}

/** A refusal in the contract's words, with its code, what is wrong with each input, and when to try again. */
export function refused({ code, message, fields = {}, retryAfter }: AppError): CallToolResult {
  const lines = [
    `${message} (${code})`,
    ...Object.entries(fields).map(([field, text]) => `${field}: ${text}`),
    ...(retryAfter
      ? [`Try again in ${retryAfter} ${retryAfter === 1 ? 'second' : 'seconds'}.`]
      : []),
  ]
  return { content: [{ type: 'text', text: lines.join('\n') }], isError: true }
}
