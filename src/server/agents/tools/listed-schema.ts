import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js'
import { z } from '#contract/zod.ts'

type ObjectSchema = ListedTool['inputSchema']

/**
 * The JSON schema of a tool's input or output, short, for a model reads all of it: a refusal says more of
 * an input than a pattern, and a model sees which fields an output has.
 */
export function listedSchema(schema: z.ZodType, io: 'input' | 'output'): ObjectSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema: part }) => {
      delete part.pattern
      if (part.minimum === Number.MIN_SAFE_INTEGER) delete part.minimum
      if (part.maximum === Number.MAX_SAFE_INTEGER) delete part.maximum
      if (io === 'input') return
      delete part.required
      delete part.default
      if (part.additionalProperties === false) delete part.additionalProperties
    },
  })
  return json as ObjectSchema
}

/** A shorter part is repeated: naming a tool would save little. */
const REPEATED_MAX = 200
/** A part is the same with other words, and where other fields of it may be left out. */
const OWN_WORDS = new Set(['description', 'default', 'required'])

/** Returns the list of these tools. A part that an earlier tool lists in full, such as a code, names that tool. */
export function listTools(tools: readonly { listed: ListedTool }[]): ListedTool[] {
  const listedIn = new Map<string, string>()
  return tools.map(({ listed }) => {
    const once = (part: unknown): unknown => {
      if (Array.isArray(part)) return part.map(once)
      if (typeof part !== 'object' || part === null) return part
      const shape = JSON.stringify(part, (key, value) => (OWN_WORDS.has(key) ? undefined : value))
      if (!('properties' in part) || shape.length <= REPEATED_MAX) return partsOf(part)
      const first = listedIn.get(shape)
      if (first) return { type: 'object', description: `As in ${first}` }
      listedIn.set(shape, listed.name)
      return partsOf(part)
    }
    const partsOf = (part: object) =>
      Object.fromEntries(Object.entries(part).map(([key, value]) => [key, once(value)]))
    return {
      ...listed,
      // The input itself is never left out: an agent could not fill it.
      inputSchema: partsOf(listed.inputSchema) as ObjectSchema,
      ...(listed.outputSchema && { outputSchema: once(listed.outputSchema) as ObjectSchema }),
    }
  })
}
