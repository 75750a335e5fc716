import type { RouteOptions } from 'fastify'
import {
  createJsonSchemaTransform,
  createJsonSchemaTransformObject,
} from 'fastify-type-provider-zod'
import type { KeyScope } from '#contract/integrations/api-keys.ts'
import { z } from '#contract/zod.ts'
import type { Schema } from './open-api.ts'
import { namedSchemas } from './schemas.ts'

/** A route that takes keys, with JSON schemas in place of Zod's. */
export type PlainRoute = { method: string; url: string; key: KeyScope; schema: object }

export type PlainRoutes = { routes: PlainRoute[]; schemas: Record<string, Schema> }

/** Keeps what a schema says of itself: the names of schemas are in a registry of their own. */
const keepMeta: z.core.ToJSONSchemaParams['override'] = ({ zodSchema, jsonSchema }) => {
  const { id: _, ...meta } = z.globalRegistry.get(zodSchema) ?? {}
  Object.assign(jsonSchema, meta)
}
const zodToJsonConfig = { override: keepMeta }

const OPENAPI = { openapi: '3.1.1', info: { title: '', version: '' } } as const

/** The routes that programs can call. */
export function plainRoutes(all: readonly RouteOptions[]): PlainRoutes {
  const schemaRegistry = namedSchemas()
  const toJson = createJsonSchemaTransform({ schemaRegistry, zodToJsonConfig })
  const routes: PlainRoute[] = []
  for (const route of all) {
    const { url, schema = {}, config } = route
    const isHidden = 'hide' in schema && schema.hide
    if (!config?.key || isHidden) continue
    const asked = { url, schema, route, openapiObject: OPENAPI }
    const json = toJson(asked as Parameters<typeof toJson>[0]).schema ?? {}
    for (const method of [route.method].flat()) {
      if (method !== 'HEAD') routes.push({ method, url, key: config.key, schema: json })
    }
  }
  const document = createJsonSchemaTransformObject({ schemaRegistry, zodToJsonConfig })({
    openapiObject: OPENAPI,
  })
  const components = 'components' in document ? document.components : undefined
  return { routes, schemas: (components?.schemas ?? {}) as Record<string, Schema> }
}
