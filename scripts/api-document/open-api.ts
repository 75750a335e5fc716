/*
 * The parts of an OpenAPI 3.1 document that we touch: https://spec.openapis.org/oas/v3.1.1.html
 */

export type Schema = {
  description?: string
  properties?: Record<string, Schema>
  [keyword: string]: unknown
}

export type Media = { schema?: Schema; example?: unknown }

export type Answer = {
  description: string
  headers?: Record<string, object>
  content?: Record<string, Media>
}

export type Parameter = {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: Schema
  example?: unknown
}

export type Call = {
  operationId?: string
  tags?: string[]
  summary?: string
  description?: string
  security?: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Record<string, Media> }
  responses: Record<string, Answer | { $ref: string }>
}

export type OpenApi = {
  openapi: string
  paths: Record<string, Record<string, Call>>
  components: Record<string, Record<string, object>> & { schemas: Record<string, Schema> }
  [part: string]: unknown
}
