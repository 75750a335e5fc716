import fc from 'fast-check'
import type { Call, OpenApi, Parameter, Schema } from '../../scripts/api-document/open-api.ts'
import { hostileText, hostileValue } from './hostile-values.ts'

/*
 * Calls made from the API's own description: mostly valid, sometimes not.
 */

export type Described = { method: string; path: string; call: Call }

/** A call that is ready to be sent. */
export type Made = { path: string; headers: Record<string, string>; body: string | undefined }

type Given = { name: string; in: string; value: string }

/** Ids that are there, by what the path or the field is about. */
export type Pool = (about: string) => string[]

export const describedCalls = (document: OpenApi): Described[] =>
  Object.entries(document.paths).flatMap(([path, calls]) =>
    Object.entries(calls).map(([method, call]) => ({ method: method.toUpperCase(), path, call })),
  )

/** Bodies that are not JSON, or are far too deep. */
const brokenJson = fc.constantFrom(
  ...['', '{', '{"name":', 'null', '"x"', '\ufeff{}', '{"__proto__":{"name":"x"},"name":1}'],
  ...['['.repeat(50_000), `${'['.repeat(5_000)}${']'.repeat(5_000)}`, '{"name":"\\ud800"}'],
  ...['{"a":1}'.padEnd(70_000), '{"name":"a","name":"b"}', '1e999'],
)

const otherTypes = fc.constantFrom('text/plain', 'application/xml', 'multipart/form-data', 'x', '')

/** Parameters that the description does not have, put behind a query. */
const oddQuery = fc.constantFrom(
  ...['&limit=1&limit=2', '&tz=UTC&tz=UTC', '&qr[]=1', '&=&&', '&%', '&__proto__=1', '&x=%00'],
)

/** Mostly the first, now and then the other. */
const mostly = <Value>(usual: fc.Arbitrary<Value>, rare: fc.Arbitrary<Value>, weight = 12) =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: rare })

/** Texts of which the schema does not say all, by the name of their field. */
const texts: Record<string, fc.Arbitrary<unknown>> = {
  name: fc.oneof(fc.lorem({ maxCount: 3 }), fc.constantFrom('Äpfel 🍎', 'قائمة', '=1+1', '菜单')),
  // No server has such a name (RFC 2606 §2): a webhook calls none.
  url: fc
    .webUrl({ withQueryParameters: true })
    .map((url) => url.replace(/^(https?:\/\/[^/?#:]+)/, '$1.invalid')),
  vanityUrl: fc.option(fc.stringMatching(/^[a-z0-9]{6,12}$/)),
  tags: fc.constantFrom('Spring', 'spring', 'Terrace', 'Äpfel 🍎'),
  tag: fc.constantFrom('Spring', 'terrace', 'gone'),
  tz: fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kathmandu'),
  path: fc.constantFrom('door', 'k7m2xqd'),
}

const LENGTH_MAX = 40
const ITEMS_MAX = 3

export class CallMaker {
  readonly #document: OpenApi
  readonly #pool: Pool

  constructor(document: OpenApi, pool: Pool) {
    this.#document = document
    this.#pool = pool
  }

  call({ path, call: { parameters = [], requestBody } }: Described): fc.Arbitrary<Made> {
    const about = aboutOf(path)
    const given = fc.tuple(...parameters.map((parameter) => this.#given(parameter, about)))
    const asked = { given, extra: mostly(fc.constant(''), oddQuery), sent: this.#sent(requestBody) }
    return fc.record(asked).map(({ given, extra, sent }) => {
      const of = (place: string) => given.filter((each) => each?.in === place) as Given[]
      const query = of('query').map(({ name, value }) => `${name}=${encoded(value)}`)
      const filled = of('path').reduce(
        (text, { name, value }) => text.replace(`{${name}}`, encoded(value)),
        path,
      )
      const headers = of('header').map(({ name, value }) => [name, headerText(value)])
      return {
        path: `${filled}?${query.join('&')}${extra}`,
        headers: { ...Object.fromEntries(headers), ...(sent && { 'content-type': sent.type }) },
        body: sent?.text,
      }
    })
  }

  /** A body with its type, or undefined if the call takes none. */
  #sent(body: Call['requestBody']): fc.Arbitrary<{ type: string; text: string } | undefined> {
    const [[type = '', { schema = {}, example } = {}] = []] = Object.entries(body?.content ?? {})
    if (!body) return fc.constant(undefined)
    const json = mostly(this.#value(schema, ''), hostileValue, 20).map((value) =>
      JSON.stringify(value),
    )
    const text = type === 'application/json' ? mostly(json, brokenJson, 20) : String(example)
    return fc.record({
      type: mostly(fc.constant(type), otherTypes, 40),
      text: typeof text === 'string' ? mostly(fc.constant(text), hostileText, 3) : text,
    })
  }

  /** A value for a parameter; now and then none, where it can be left out. */
  #given({ name, in: place, required, schema }: Parameter, about: string) {
    const isId = place === 'path' || name === 'qr'
    const usual = isId ? this.#id(name === 'qr' ? 'qr-codes' : about) : this.#value(schema, name)
    const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
    const some = mostly(usual.map(text), hostileText).map(
      // Without a name a path is another one.
      (value): Given => ({ name, in: place, value: place === 'path' ? value || 'x' : value }),
    )
    return required ? some : fc.option(some, { freq: 1, nil: undefined })
  }

  #id(about: string): fc.Arbitrary<string> {
    return mostly(
      // When the value is made, not now: the pool grows.
      fc.nat().map((index) => {
        const ids = this.#pool(about)
        return ids[index % Math.max(1, ids.length)] ?? 'none'
      }),
      fc.uuid(),
      6,
    )
  }

  /** A value that the schema takes, with a hostile one in some places. */
  #value(schema: Schema, name: string): fc.Arbitrary<unknown> {
    return mostly(this.#right(schema, name), hostileValue, 60)
  }

  #right(schema: Schema, name: string): fc.Arbitrary<unknown> {
    const known = texts[name]
    if (known && schema.type !== 'array' && schema.type !== 'object') return known
    // Pictures of every kind are tested elsewhere; most codes have none of it.
    const isRare = ['artwork', 'logo', 'frame'].includes(name)
    return isRare ? mostly(fc.constant(null), this.#any(schema, name), 3) : this.#any(schema, name)
  }

  #any(schema: Schema, name: string): fc.Arbitrary<unknown> {
    const { $ref, anyOf, oneOf, allOf, enum: values, type } = schema
    if (typeof $ref === 'string') return this.#right(this.#named($ref), name)
    const choices = (anyOf ?? oneOf) as Schema[] | undefined
    if (choices) return fc.oneof(...choices.map((choice) => this.#value(choice, name)))
    if (allOf) return this.#value((allOf as Schema[])[0] ?? {}, name)
    if (values) return fc.constantFrom(...(values as unknown[]))
    if ('const' in schema) return fc.constant(schema.const)
    if (type === 'array') return this.#list(schema, name)
    if (type === 'object') return this.#object(schema)
    if (type === 'string') return this.#text(schema, name)
    if (type === 'integer' || type === 'number') return numberOf(schema)
    if (type === 'boolean') return fc.boolean()
    return type === 'null' ? fc.constant(null) : fc.jsonValue({ maxDepth: 2 })
  }

  #named($ref: string): Schema {
    const schema = this.#document.components.schemas[$ref.split('/').at(-1) ?? '']
    if (!schema) throw new Error(`There is no ${$ref}`)
    return schema
  }

  #list({ items = {}, minItems = 0 }: Schema, name: string): fc.Arbitrary<unknown> {
    const minLength = Math.min(Number(minItems), ITEMS_MAX)
    return fc.array(this.#value(items as Schema, name), { minLength, maxLength: ITEMS_MAX })
  }

  #object({ properties = {}, required = [], additionalProperties }: Schema) {
    const fields = Object.entries(properties).map(([key, field]) => [key, this.#value(field, key)])
    const own = fc.record(Object.fromEntries(fields), { requiredKeys: required as never[] })
    if (typeof additionalProperties !== 'object')
      return mostly(own, fc.constant({ userId: 'x' }), 40)
    const more = this.#value(additionalProperties as Schema, '')
    return fc.dictionary(fc.string({ maxLength: 8 }), more, { maxKeys: 2 })
  }

  #text({ format, pattern, minLength, maxLength }: Schema, name: string): fc.Arbitrary<string> {
    if (['ids', 'add', 'remove'].includes(name)) return this.#id('qr-codes')
    if (format === 'date-time') return instant.map((date) => date.toISOString())
    if (format === 'date') return instant.map((date) => date.toISOString().slice(0, 10))
    if (format === 'uuid') return fc.uuid()
    if (typeof pattern === 'string') return fc.stringMatching(new RegExp(pattern))
    const min = Math.min(Number(minLength ?? 0), LENGTH_MAX)
    const max = Math.max(min, Math.min(Number(maxLength ?? LENGTH_MAX), LENGTH_MAX))
    return fc.string({ unit: 'grapheme', minLength: min, maxLength: max })
  }
}

const instant = fc.date({
  min: new Date('2025-01-01'),
  max: new Date('2027-01-01'),
  noInvalidDate: true,
})

function numberOf({ type, minimum, maximum, exclusiveMinimum }: Schema): fc.Arbitrary<number> {
  const min = Number(minimum ?? exclusiveMinimum ?? -10)
  const max = Math.min(Number(maximum ?? 1_000_000), 2_000_000_000)
  if (type === 'integer') return fc.integer({ min: Math.max(min, -2_000_000_000), max })
  return fc.double({ min, max, noNaN: true })
}

/** The kind of thing that an id in a path names: the word before it, or the bin for a restore. */
export function aboutOf(path: string): string {
  if (path.endsWith('/restore')) return 'bin'
  const [, name = ''] = /([^/]+)\/\{/.exec(path) ?? []
  return name === 'qr-code' ? 'qr-codes' : name
}

/** Half surrogates, which no address has, become the replacement character. */
const encoded = (text: string) => encodeURIComponent(text.toWellFormed())

/** Keeps the characters that Node can send in a header's value. */
const headerText = (text: string) => text.replace(/[^\t\x20-\x7e]/g, '').trim()
