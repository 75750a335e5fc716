import { writeFile } from 'node:fs/promises'
import type { RouteOptions } from 'fastify'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { examples, groups } from '../../scripts/api-document/groups.ts'
import type { OpenApi, Schema } from '../../scripts/api-document/open-api.ts'
import type { QrCode } from '../../src/contract/codes/codes.ts'
import { eventTypes } from '../../src/contract/integrations/webhook-values.ts'
import { ExampleCalls } from '../support/example-calls.ts'
import { recordPast } from '../support/past-scans.ts'
import { newPerson, type Person } from '../support/person.ts'
import { newProgram } from '../support/program.ts'
import { runTessera } from '../support/tessera.ts'
import { WebhookReceiver } from '../support/webhook-receiver.ts'

/** The examples' webhook: the address of a test's receiver stands in its place. */
const HOOK_URL = 'https://example.com/hooks/tessera'
const HOW = 'See “The API’s description” in CONTRIBUTING.md.'
const operations = groups.flatMap((group) => Object.entries(group.operations))

/** The words of parameters: a field of an answer leaves nothing out. */
const ASKS = /^Only (scans|codes|rows) |How many to return|Without it, all/

const callsIn = ({ paths }: OpenApi) => Object.values(paths).flatMap((path) => Object.values(path))

/** The fields in a part of the document, with their words. */
function fieldsIn(part: unknown, where: string): [string, string | undefined][] {
  if (typeof part !== 'object' || part === null) return []
  const { properties = {} } = part as Schema
  const own = Object.entries(properties).map(
    ([name, { description }]): [string, string | undefined] => [`${where}.${name}`, description],
  )
  const inner = Object.entries(part).filter(([key]) => key !== 'example')
  return [...own, ...inner.flatMap(([key, each]) => fieldsIn(each, `${where}.${key}`))]
}

describe('the description of the API', () => {
  const routes: RouteOptions[] = []
  const tessera = runTessera({
    now: '2026-03-05T10:00:00Z',
    checks: true,
    environment: { WEBHOOK_ALLOW: '127.0.0.1' },
    onRoute: (route) => {
      routes.push(route)
    },
  })
  let document: OpenApi
  const withKeys = new Set<string>()

  beforeAll(async () => {
    for (const { method, url, config, schema } of routes) {
      const isHidden = schema && 'hide' in schema
      for (const each of [method].flat()) {
        if (config?.key && each !== 'HEAD' && !isHidden) withKeys.add(`${each} ${url}`)
      }
    }
    document = await (await fetch(`${tessera.origin}/api/openapi.json`)).json()
  })

  test('every route that takes keys has words and an example, and no other has', () => {
    const told = operations.map(([route]) => route)
    expect(told.toSorted(), HOW).toEqual([...withKeys].toSorted())
    const names = operations.map(([, { name }]) => name)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
    const calls = callsIn(document)
    expect(calls.map(({ operationId }) => operationId).toSorted()).toEqual(names.toSorted())
  })

  test('every parameter and every field has words, and no field those of a question', () => {
    const calls = callsIn(document)
    const told = calls.flatMap(({ operationId = '', parameters = [], requestBody, responses }) => [
      ...parameters.map(({ name, description }) => [`${operationId}?${name}`, description]),
      ...[requestBody, ...Object.values(responses)].flatMap((part) => fieldsIn(part, operationId)),
    ])
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      told.push(...fieldsIn(schema, name))
    }
    const untold = told.filter(([, words]) => !words).map(([name]) => name)
    expect(untold, `The contract says nothing of these. ${HOW}`).toEqual([])
    const asking = told.filter(([name = '', words]) => !name.includes('?') && ASKS.test(`${words}`))
    expect(asking).toEqual([])
    const inputs = Object.entries(document.components.schemas.NewTag?.properties ?? {})
    expect(inputs.find(([name]) => name === 'name')?.[1].description).toContain('40 characters')
  })

  test('every POST that makes something takes an Idempotency-Key', () => {
    const makes = Object.entries(document.paths).flatMap(([path, { post }]) => {
      const takesKey = post?.parameters?.some(({ name }) => name === 'Idempotency-Key')
      return post?.responses['201'] && !takesKey ? [path] : []
    })
    // The same picture is the same logo.
    const others = makes.filter((path) => path !== '/api/logos' && !path.includes('/imports'))
    expect(others).toEqual([])
  })

  test('every answer but a 204 has a type', () => {
    const untyped = callsIn(document).flatMap(({ operationId, responses }) =>
      Object.entries(responses)
        .filter(([status, answer]) => /^20[^4]/.test(status) && !('content' in answer))
        .map(([status]) => `${operationId} ${status}`),
    )
    expect(untyped).toEqual([])
  })

  test('every event has its type and the headers that sign it', () => {
    const { webhooks, components } = document as OpenApi & { webhooks: OpenApi['paths'] }
    expect(Object.keys(webhooks).sort()).toEqual([...eventTypes].sort())
    for (const [type, { post }] of Object.entries(webhooks)) {
      const { $ref } = post?.requestBody?.content['application/json']?.schema ?? {}
      const { properties } = components.schemas[`${$ref}`.split('/').at(-1) ?? ''] ?? {}
      expect([type, properties?.type?.const]).toEqual([type, type])
      expect(properties?.data).toBeDefined()
      const named = (post?.parameters ?? []).map((each) => `${(each as { $ref?: string }).$ref}`)
      const headers = named.map((ref) => components.parameters?.[ref.split('/').at(-1) ?? ''])
      expect(headers).toMatchObject(
        ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({ name })),
      )
    }
  })

  test('every example is answered by a server as it says', async () => {
    const owner = await newPerson(tessera, 'unlimited')
    const robot = await newProgram(owner)
    const receiver = await WebhookReceiver.start()
    onTestFinished(() => receiver.stop())
    const calls = new ExampleCalls({ [HOOK_URL]: receiver.url })
    for (const [route] of operations) {
      examples[route] ??= {}
      const example = examples[route]
      await tessera.app.importsIdle()
      await tessera.app.webhooksIdle()
      if (route === 'GET /api/analytics/user') await scanned(owner)
      const [method = '', url = ''] = route.split(' ')
      const isFile = typeof example.body === 'string'
      const init = {
        method,
        headers: {
          authorization: `Bearer ${robot.key}`,
          'Idempotency-Key': route,
          ...(example.body !== undefined && !isFile && { 'content-type': 'application/json' }),
          ...example.headers,
        },
        ...(example.body !== undefined && {
          body: isFile ? (example.body as string) : JSON.stringify(calls.body(example.body)),
        }),
      }
      const address = tessera.origin + calls.path(url, example)
      const answer = await fetch(address, init)
      const text = await answer.text()
      const { parameters = [] } =
        document.paths[url.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()] ?? {}
      const takesKey = parameters.some(({ name }) => name === 'Idempotency-Key')
      if (takesKey && answer.status === 201) {
        const again = await fetch(address, init)
        expect([route, again.headers.get('idempotency-replayed')]).toEqual([route, 'true'])
        const untimed = (json: string) => json.replace(/("checkedAt":)"[^"]*"/, '$1')
        expect(untimed(await again.text())).toBe(untimed(text))
      }
      const isJson = answer.headers.get('content-type')?.startsWith('application/json')
      const real = isJson && JSON.parse(text)
      if (!example.answer) {
        example.answer = { status: answer.status, ...(isJson && { body: calls.told(real) }) }
        await writeFile('scripts/api-document/examples.json', JSON.stringify(examples, null, 2))
      }
      const { status, body } = example.answer
      expect([route, answer.status], text.slice(0, 300)).toEqual([route, status])
      if (body === undefined) continue
      const difference = calls.difference(body, real)
      expect(difference, `${route} answers otherwise: ${text}`).toBeUndefined()
    }
  })

  /** Guests scan the menu: two on Tuesday evening, one this morning. */
  async function scanned(owner: Person) {
    const codes = await owner.ask<QrCode[]>('/api/qr-codes')
    const menu = codes.find(({ name }) => name === 'Menu')
    tessera.clock.set('2026-03-05T10:00:00Z')
    const at = ['2026-03-03T18:40:00Z', '2026-03-03T19:05:00Z', '2026-03-05T09:52:00Z']
    await recordPast(
      tessera.database.location,
      at.map((instant) => ({ code_id: menu?.id ?? '', at: Date.parse(instant), visitor: instant })),
    )
  }
})
