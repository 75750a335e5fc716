import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js'
import { z } from '#contract/zod.ts'

type ObjectSchema = ListedTool['inputSchema']

/**
 * The JSON schema of a tool's input or output, short, for a model reads all of it: a refusal says more of
 * an input than a pattern, a length or a ban on other fields, and a model sees which fields an output has.
 */
export function listedSchema(schema: z.ZodType, io: 'input' | 'output'): ObjectSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema: part }) => {
      delete part.pattern
      delete part.minLength
      delete part.maxLength
      if (part.minimum === Number.MIN_SAFE_INTEGER) delete part.minimum
      if (part.maximum === Number.MAX_SAFE_INTEGER) delete part.maximum
      if (part.additionalProperties === false) delete part.additionalProperties
      if (io === 'input') return
      delete part.required
      delete part.description
    },
  })
  return json as ObjectSchema
}

/** Characters of a part that is repeated: naming a tool would save little. */
const REPEATED_MAX = 200
/** A part is the same with other words, and where other fields of it may be left out. */
const OWN_WORDS = new Set(['description', 'default', 'required'])

/**
 * The list of these tools. Each input stands alone, for clients show a model some tools without the others; what an
 * output has listed in full is not repeated in the next.
 */
export function listTools(tools: readonly { listed: ListedTool }[]): ListedTool[] {
  const outputs = new Map<string, string>()
  return tools.map(({ listed }) => {
    const { inputSchema, outputSchema, name } = listed
    return {
      ...listed,
      inputSchema: partsOnce(inputSchema, 'the same field above', new Map()) as ObjectSchema,
      ...(outputSchema && { outputSchema: once(outputSchema, name, outputs) as ObjectSchema }),
    }
  })
}

/** A part, such as a code's artwork, that an earlier tool has names that tool. */
function once(part: unknown, tool: string, listedIn: Map<string, string>): unknown {
  if (Array.isArray(part)) return part.map((each) => once(each, tool, listedIn))
  if (typeof part !== 'object' || part === null) return part
  const shape = JSON.stringify(part, (key, value) => (OWN_WORDS.has(key) ? undefined : value))
  if ('properties' in part && shape.length > REPEATED_MAX) {
    const first = listedIn.get(shape)
    if (first) return { type: 'object', description: `As in ${first}` }
    listedIn.set(shape, tool)
  }
  return partsOnce(part, tool, listedIn)
}

/** A field that an earlier tool describes in the same words goes without. */
function partsOnce(part: object, tool: string, listedIn: Map<string, string>): object {
  const parts = Object.entries(part).filter(([key, value]) => {
    if (key !== 'description' || typeof value !== 'string') return true
    const first = listedIn.get(value) ?? tool
    listedIn.set(value, first)
    return first === tool
  })
  return Object.fromEntries(parts.map(([key, value]) => [key, once(value, tool, listedIn)]))
}
