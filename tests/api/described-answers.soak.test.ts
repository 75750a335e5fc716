import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Answer, OpenApi } from '../../scripts/api-document/open-api.ts'
import { type ErrorBody, errorTable } from '../../src/contract/errors.ts'
import { BEHIND_PROXY, someAddress } from '../support/crowd.ts'
import {
  aboutOf,
  CallMaker,
  type Described,
  describedCalls,
  type Made,
} from '../support/described-calls.ts'
import { newPerson, type Person } from '../support/person.ts'
import { newProgram } from '../support/program.ts'
import { seed } from '../support/soak.ts'
import { runTessera } from '../support/tessera.ts'

/** Calls of each kind, each made with one of the keys or without. */
const RUNS = 100
/** An account is left before its limits of a day are reached. */
const CALLS_OF_ONE = 500

const asking = ['a key that writes', 'a key that reads', 'no key'] as const
/** The things that each account makes, by path */
const things = {
  'qr-codes': { name: 'Menu', url: 'https://example.com' },
  looks: { name: 'House', look: {} },
  tags: { name: 'Spring' },
  webhooks: { url: 'https://hooks.invalid/', types: ['code.created'] },
}
type Asking = (typeof asking)[number]

describe('any call, made from the description', () => {
  const tessera = runTessera({ environment: BEHIND_PROXY, checks: true })
  let document: OpenApi
  let ajv: Ajv2020
  let owner: Person | undefined
  let keys: Record<Asking, string>
  let calls = 0
  /** The ids of the account's things, by the kind that a path names */
  const own = new Map<string, string[]>()

  beforeAll(async () => {
    document = await (await fetch(`${tessera.origin}/api/openapi.json`)).json()
    ajv = new Ajv2020({ strict: false, allErrors: true })
    addFormats.default(ajv)
    ajv.addSchema(document, 'api')
  })

  test('is answered as the description says, and never by a fault of ours', async () => {
    const maker = new CallMaker(document, (about) => own.get(about) ?? [])
    for (const described of describedCalls(document)) {
      const property = fc.asyncProperty(
        maker.call(described),
        fc.constantFrom('a key that writes', ...asking),
        async (made, as) => {
          const answer = await send(described.method, made, as)
          const fault = await faultIn(described, answer, as)
          expect(fault && `${described.method} ${described.path} with ${as}: ${fault}`).toBe('')
        },
      )
      await fc.assert(property, { seed, numRuns: RUNS, endOnFailure: true })
    }
  })

  async function send(method: string, { path, headers, body }: Made, as: Asking) {
    const key = (await account())[as]
    calls++
    return fetch(tessera.origin + path, {
      method,
      headers: {
        ...headers,
        ...(key && { authorization: `Bearer ${key}` }),
        'x-forwarded-for': someAddress(),
      },
      ...(body !== undefined && { body }),
    })
  }

  /** An account that has some of each thing, whatever was deleted before. */
  async function account(): Promise<Record<Asking, string>> {
    if (!owner || calls % CALLS_OF_ONE === 0) {
      const person = await newPerson(tessera, 'unlimited')
      const writes = (await newProgram(person)).key
      const reads = (await newProgram(person, { scope: 'read' })).key
      own.clear()
      keys = { 'a key that writes': writes, 'a key that reads': reads, 'no key': '' }
      owner = person
    }
    for (const [about, thing] of Object.entries(things)) {
      if ((own.get(about) ?? []).length > 1) continue
      const body = 'name' in thing ? { ...thing, name: `${thing.name} ${calls}` } : thing
      const { id } = await owner.make<{ id: string }>(`/api/${about}`, body)
      keep(about, id)
    }
    return keys
  }

  const keep = (about: string, id: string) =>
    own.set(about, [...(own.get(about) ?? []), id].slice(-5))

  /** Later calls know what was made, and what was deleted. */
  function note({ method, path }: Described, url: string, json: unknown) {
    const about = aboutOf(path)
    const id = (json as { id?: unknown } | null)?.id
    if (method === 'POST' && !path.includes('{') && typeof id === 'string') {
      keep(path.split('/').at(-1) ?? '', id)
    }
    if (method !== 'DELETE') return
    const gone = new URL(url).pathname.split('/').at(-1) ?? ''
    own.set(
      about,
      (own.get(about) ?? []).filter((each) => each !== gone),
    )
    if (about === 'qr-codes') keep('bin', gone)
  }

  /** The difference between an answer and its description; empty if they agree. */
  async function faultIn({ method, path, call }: Described, answer: Response, as: Asking) {
    const { status, headers } = answer
    const text = await answer.text()
    const told = call.responses[status]
    if (!told) return `${status} is not described: ${text.slice(0, 500)}`
    // The machine that tests may be busy; our own code may not break.
    if (status >= 500 && !/"code":"(busy|unavailable)"/.test(text)) return `${status}: ${text}`
    const [where, described] = resolved(
      told,
      `/paths/${escaped(path)}/${method.toLowerCase()}/responses/${status}`,
    )
    const types = Object.keys(described.content ?? {})
    const type = headers.get('content-type')?.split(';')[0] ?? ''
    if (answer.ok) note({ method, path, call }, answer.url, parsed(text, type))
    if (types.length === 0) return text === '' ? '' : `${status} has a body: ${text.slice(0, 500)}`
    if (!types.includes(type)) return `${status} is ${type}, not ${types}: ${text.slice(0, 500)}`
    if (as !== 'no key' && !headers.has('ratelimit')) return `${status} does not say what is left`
    if (type !== 'application/json') return ''
    const validate = ajv.compile({ $ref: `api#${where}/content/application~1json/schema` })
    const json = parsed(text, type)
    if (!validate(json))
      return `${status}: ${ajv.errorsText(validate.errors)} in ${text.slice(0, 2000)}`
    if (status >= 400) return refusalFault(json as ErrorBody, status, described)
    return ''
  }

  function refusalFault({ code }: ErrorBody, status: number, { description }: Answer) {
    if (errorTable[code].status !== status) return `${code} came with ${status}`
    return description.includes(`\`${code}\``) ? '' : `${status} is described without ${code}`
  }

  function resolved(told: Answer | { $ref: string }, at: string): [string, Answer] {
    if (!('$ref' in told)) return [at, told]
    const name = told.$ref.split('/').at(-1) ?? ''
    return [`/components/responses/${name}`, document.components.responses?.[name] as Answer]
  }
})

const parsed = (text: string, type: string): unknown =>
  type === 'application/json' ? JSON.parse(text) : null

/** RFC 6901 §3 */
const escaped = (path: string) =>
  encodeURIComponent(path.replaceAll('~', '~0').replaceAll('/', '~1'))
