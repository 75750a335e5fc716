import type { CallToolResult, Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js'
import type { KeyScope } from '#contract/integrations/api-keys.ts'
import { z } from '#contract/zod.ts'
import { type AppError, invalidInput, toAppError } from '../../http/errors.ts'
import { issuesOf } from '../../http/input/json-body.ts'
import { tellInputs } from '../../openapi/fields.ts'
import type { Schema } from '../../openapi/open-api.ts'
import type { InnerCalls } from '../inner-calls.ts'
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
type Effect = keyof typeof hintsOf

/** A tool's description for models and people. */
type About = {
  name: string
  title: string
  /** In plain words, for a model */
  description: string
  effect: Effect
  /** A second call with the same input changes nothing more, as of all that replace. */
  isIdempotent?: boolean
  /** Asks servers that aren't ours, such as DNS */
  isOpenWorld?: boolean
  /** The API's schema that says what its fields mean, if they mean something else in others */
  words?: string
}

/** A tool as the server keeps it. */
export type Tool = {
  listed: ListedTool
  /** Which keys and apps may use it */
  scope: KeyScope
  run: (input: unknown, setting: Setting) => Promise<CallToolResult>
}

/** A tool that answers with an object, which its text repeats for clients that read only text. */
export function dataTool<Input extends z.ZodType, Output extends z.ZodType>(
  about: About & { input: Input; output: Output },
  run: (input: z.output<Input>, setting: Setting) => Promise<z.output<Output>>,
): Tool {
  const tool = contentTool(about, async (input, setting) => {
    const data = (await run(input, setting)) as Record<string, unknown>
    return { content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data }
  })
  const outputSchema = listedSchema(about.output, 'output')
  return { ...tool, listed: { ...tool.listed, outputSchema } }
}

/** A tool that answers with content of any kind. */
export function contentTool<Input extends z.ZodType>(
  about: About & { input: Input },
  run: (input: z.output<Input>, setting: Setting) => Promise<CallToolResult>,
): Tool {
  const { name, title, description, effect, input } = about
  const inputSchema = listedSchema(input, 'input')
  // A field means what it means in the API.
  tellInputs(inputSchema as Schema, about.words ?? name)
  return {
    listed: {
      name,
      title,
      description,
      inputSchema,
      annotations: {
        ...hintsOf[effect],
        idempotentHint: about.isIdempotent ?? effect !== 'adds',
        openWorldHint: about.isOpenWorld ?? false,
      },
    },
    scope: effect === 'reads' ? 'read' : 'write',
    run: async (given, setting) => {
      try {
        const read = input.safeParse(given)
        if (!read.success) throw invalidInput(issuesOf(input, given, read.error.issues))
        return await run(read.data, setting)
      } catch (error) {
        const refusal = toAppError(error)
        if (refusal.code === 'internal') throw error
        return refused(refusal)
      }
    },
  }
}

type Deletion = Pick<About, 'name' | 'title' | 'description'> & {
  id: z.ZodString
  pathOf: (id: string) => string
  /** Its answer, in words */
  done: string
}

/** A tool that deletes one thing. */
export function deletingTool({ id, pathOf, done, ...about }: Deletion): Tool {
  const input = z.strictObject({ id })
  return contentTool({ ...about, effect: 'replaces', input }, async (given, { calls }) => {
    await calls.bytes({ method: 'DELETE', path: pathOf(given.id) })
    return { content: [{ type: 'text', text: done }] }
  })
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
