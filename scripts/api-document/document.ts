import swagger from '@fastify/swagger'
import fastify, { type FastifySchema, type HTTPMethods, type RouteOptions } from 'fastify'
import { ORIGIN_PLACEHOLDER } from '#contract/codes/placeholders.ts'
import { answerHeaders, everyAnswer } from './answer-headers.ts'
import { completed, refusal, sharedRefusals } from './complete.ts'
import { describedEvents, eventHeaders } from './events.ts'
import { groups } from './groups.ts'
import { introduction } from './introduction.ts'
import type { OpenApi } from './open-api.ts'
import { refusalsOf } from './refusals.ts'
import { type PlainRoute, plainRoutes } from './route-schemas.ts'

const bearer = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'tsk_…',
  description:
    'An API key from Account settings → API keys. A key with the scope `read` can make calls that only read; one with `write` can make all of them. A key never does more than the role of the person who created it allows in its workspace now.',
}

/** Returns the OpenAPI 3.1 document of a server's routes as JSON, with a placeholder for its origin. */
export async function describeApi(all: readonly RouteOptions[], version: string): Promise<string> {
  const { routes, schemas } = plainRoutes(all)
  const made = await collected(routes)
  const document: OpenApi = {
    openapi: '3.1.1',
    info: {
      title: 'Tessera API',
      version,
      description: introduction(ORIGIN_PLACEHOLDER),
    },
    servers: [{ url: ORIGIN_PLACEHOLDER }],
    tags: groups.map(({ name, description }) => ({ name, description })),
    paths: pathsOf(routes, made),
    webhooks: describedEvents(),
    components: {
      schemas,
      parameters: eventHeaders,
      headers: answerHeaders,
      responses: sharedAnswers(routes),
      securitySchemes: { apiKey: bearer },
    },
  }
  return shortNames(JSON.stringify(onlyUsed(document)))
}

/** The document that @fastify/swagger makes of the routes, in a server that never listens. */
async function collected(routes: readonly PlainRoute[]): Promise<OpenApi> {
  const app = fastify()
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => (data) => JSON.stringify(data))
  await app.register(swagger, { openapi: { openapi: '3.1.1' }, convertConstToEnum: false })
  for (const { method, url, schema } of routes) {
    const handler = async () => null
    app.route({ method: method as HTTPMethods, url, schema: schema as FastifySchema, handler })
  }
  await app.ready()
  return app.swagger() as unknown as OpenApi
}

/** In the order of the groups, which a reader goes through. */
function pathsOf(routes: readonly PlainRoute[], made: OpenApi): OpenApi['paths'] {
  const order = groups.flatMap(({ operations }) => Object.keys(operations))
  const place = ({ method, url }: PlainRoute) => order.indexOf(`${method} ${url}`) >>> 0
  const paths: OpenApi['paths'] = {}
  for (const route of routes.toSorted((one, other) => place(one) - place(other))) {
    const path = route.url.replace(/:(\w+)/g, '{$1}')
    const method = route.method.toLowerCase()
    const call = made.paths[path]?.[method]
    if (call) paths[path] = { ...paths[path], [method]: completed(route, call) }
  }
  return paths
}

function sharedAnswers(routes: readonly PlainRoute[]): Record<string, object> {
  const [any] = routes
  const all = any ? refusalsOf(any, undefined) : new Map()
  const answers = sharedRefusals.map((status) => {
    const isOver = status === 429 || status === 503
    const headers = [...everyAnswer, ...(isOver ? (['Retry-After'] as const) : [])]
    return [status, refusal(all.get(status) ?? [], ...headers)]
  })
  return Object.fromEntries(answers)
}

/** Zod gives each named schema twice, as it comes in and as it goes out. */
function onlyUsed(document: OpenApi): OpenApi {
  const { schemas } = document.components
  const used = new Set<string>()
  const look = (part: unknown) => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/#\/components\/schemas\/(\w+)/g)) {
      if (used.has(name)) continue
      used.add(name)
      look(schemas[name])
    }
  }
  look({ ...document, components: { ...document.components, schemas: {} } })
  const kept = Object.entries(schemas).filter(([name]) => used.has(name))
  return {
    ...document,
    components: { ...document.components, schemas: Object.fromEntries(kept) },
  }
}

/** Cuts `Input` off the names of schemas that only requests have. */
function shortNames(json: string): string {
  const names = Object.keys((JSON.parse(json) as OpenApi).components.schemas)
  const inputs = names.filter((name) => name.endsWith('Input'))
  const alone = inputs.filter((name) => !names.includes(name.slice(0, -'Input'.length)))
  return alone.reduce(
    (text, name) =>
      text
        .replaceAll(`#/components/schemas/${name}"`, `#/components/schemas/${name.slice(0, -5)}"`)
        .replace(`"${name}":{`, `"${name.slice(0, -5)}":{`),
    json,
  )
}
