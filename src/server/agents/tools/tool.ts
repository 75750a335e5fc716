import type { CallToolResult, Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js'
import type { KeyScope } from '#contract/integrations/api-keys.ts'
import { z } from '#contract/zod.ts'
import { type AppError, invalidInput, toAppError } from '../../http/errors.ts'
import { tell } from '../../openapi/fields.ts'
import type { Schema } from '../../openapi/open-api.ts'
import type { InnerCalls } from '../inner-calls.ts'

/** The parts of the server and of the request that a tool uses. */
export type Setting = { calls: InnerCalls; publicUrl: string }

/** A tool's description for models and people. */
type About = {
  name: string
  title: string
  /** In plain words, for a model */
  description: string
  /** Which keys see it: one that writes sees all */
  scope: KeyScope
  /** Removes something */
  isDestructive?: boolean
  /** A second call with the same input changes nothing more. */
  isIdempotent?: boolean
}

/** A tool as the server keeps it. */
export type Tool = {
  listed: ListedTool
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
  const outputSchema = jsonSchemaOf(about.output, 'output')
  return { ...tool, listed: { ...tool.listed, outputSchema } }
}

/** A tool that answers with content of any kind. */
export function contentTool<Input extends z.ZodType>(
  about: About & { input: Input },
  run: (input: z.output<Input>, setting: Setting) => Promise<CallToolResult>,
): Tool {
  const { name, title, description, scope, input } = about
  const inputSchema = jsonSchemaOf(input, 'input')
  // A field means what it means in the API.
  tell(inputSchema as Schema, name)
  return {
    listed: {
      name,
      title,
      description,
      inputSchema,
      annotations: {
        readOnlyHint: scope === 'read',
        destructiveHint: about.isDestructive ?? false,
        idempotentHint: about.isIdempotent ?? scope === 'read',
        openWorldHint: false,
      },
    },
    scope,
    run: async (given, setting) => {
      try {
        const read = input.safeParse(given)
        if (!read.success) throw invalidInput(read.error.issues.map(named))
        return await run(read.data, setting)
      } catch (error) {
        const refusal = toAppError(error)
        if (refusal.code === 'internal') throw error
        return refused(refusal)
      }
    },
  }
}

/** A misspelled field is named, or its model would believe that it counted. */
function named(issue: z.core.$ZodIssue): { path: string; message: string } {
  if (issue.code !== 'unrecognized_keys') {
    return { path: issue.path.join('.'), message: issue.message }
  }
  return { path: [...issue.path, issue.keys[0]].join('.'), message: 'Unknown field' }
}

/** A refusal in the contract's words, with its code, what is wrong with each input, and when to try again. */
function refused({ code, message, fields = {}, retryAfter }: AppError): CallToolResult {
  const lines = [
    `${message} (${code})`,
    ...Object.entries(fields).map(([field, text]) => `${field}: ${text}`),
    ...(retryAfter
      ? [`Try again in ${retryAfter} ${retryAfter === 1 ? 'second' : 'seconds'}.`]
      : []),
  ]
  return { content: [{ type: 'text', text: lines.join('\n') }], isError: true }
}

type ObjectSchema = ListedTool['inputSchema']

/** A model reads all of it, so what a format says already has no pattern of 300 characters beside it. */
function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): ObjectSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => {
      if (jsonSchema.format) delete jsonSchema.pattern
    },
  })
  return json as ObjectSchema
}
