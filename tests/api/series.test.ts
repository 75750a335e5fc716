import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { SERIES_MAX } from '../../src/contract/codes/code-values.ts'
import type { QrCode } from '../../src/contract/codes/codes.ts'
import { oneEngineInCi } from '../support/engines.ts'
import { leadsTo } from '../support/link.ts'
import { enrolForEach, eventsOf, newPerson, type Person } from '../support/person.ts'
import { expectRefusal, refusal } from '../support/refusal.ts'
import { tally } from '../support/tally.ts'
import { runTessera } from '../support/tessera.ts'

type Row = { name: string; url: string; vanityUrl?: string }

const table = (number: number): Row => ({
  name: `Table ${number}`,
  url: `https://example.com/menu?table=${number}`,
})
const tables = (count: number) => Array.from({ length: count }, (_, index) => table(index + 1))
const post = (person: Person, body: unknown) =>
  person.call('/api/qr-codes/bulk', { method: 'POST', body })
const make = (person: Person, rows: Row[], look = {}) =>
  person.make<QrCode[]>('/api/qr-codes/bulk', { rows, look })
const list = (person: Person) => person.ask<QrCode[]>('/api/qr-codes')
const used = async (person: Person) =>
  (await person.ask<{ qrCodeCount: number }>('/api/user/subscription')).qrCodeCount

describe.each(oneEngineInCi)('a series on %s', (engine) => {
  const tessera = runTessera({ engine })
  const person = enrolForEach(tessera, 'unlimited')

  test('makes a code of each row, with one look, in the order of the rows', async () => {
    const look = { style: 'rounded', foregroundColor: '#1e40af', backgroundColor: '#f0f9ff' }
    const codes = await make(person, tables(20), look)
    expect(codes.map(({ name, url }) => ({ name, url }))).toEqual(tables(20))
    for (const code of codes)
      expect(code).toMatchObject({ ...look, expiresAt: null, isActive: true })
    expect(new Set(codes.map(({ shortCode }) => shortCode)).size).toBe(20)
    const names = (await list(person)).map(({ name }) => name)
    expect(names).toEqual(tables(20).map(({ name }) => name))
    expect(await used(person)).toBe(20)
    expect(await leadsTo(tessera, codes[6]?.shortCode ?? '')).toBe(table(7).url)
    const events = await eventsOf(tessera, person.id)
    expect(events.filter((event) => event.startsWith('code-'))).toEqual(['code-series-made'])
  })

  test('has up to a thousand codes, and not one more', async () => {
    const many = tables(SERIES_MAX + 1)
    expect(await refusal(await post(person, { rows: many }))).toMatchObject({
      code: 'invalid_input',
      fields: { rows: 'A series can have up to 1,000 QR codes' },
    })
    expect(await make(person, many.slice(1))).toHaveLength(SERIES_MAX)
    expect(await used(person)).toBe(SERIES_MAX)
    expect(await list(person)).toHaveLength(SERIES_MAX)
  })

  test('that goes beyond the plan makes nothing, and says how many more codes fit', async () => {
    const person = await newPerson(tessera)
    await person.code()
    const refused = await expectRefusal(post(person, { rows: tables(3) }), 'plan_limit_reached')
    expect(refused.message).toContain('you can create 2 more')
    expect(refused.message).toContain('3 QR codes')
    expect(await list(person)).toHaveLength(1)
    expect(await used(person)).toBe(1)
    await make(person, tables(2))
    const wanted = 'all of them are in use. This series has 1 QR code.'
    expect((await refusal(await post(person, { rows: tables(1) }))).message).toContain(wanted)
  })

  test('says at each row what is wrong, and makes none', async () => {
    const rows = [
      table(1),
      { name: '', url: 'https://example.com' },
      { name: 'Two', url: 'javascript:alert(1)' },
      { name: 'Three', url: 'https://example.com', vanityUrl: 'a' },
    ]
    const refused = await expectRefusal(post(person, { rows }), 'invalid_input')
    expect(refused.fields).toEqual({
      'rows.1.name': 'Name is required',
      'rows.2.url': 'Must be a valid URL',
      'rows.3.vanityUrl': 'Vanity URL must be at least 3 characters',
    })
    const own = [table(1), { name: 'Loop', url: `${tessera.origin}/qr/abc` }]
    const looped = await refusal(await post(person, { rows: own }))
    expect(Object.keys(looped.fields ?? {})).toEqual(['rows.1.url'])
    expect(await list(person)).toEqual([])
  })

  test('may have custom paths if the plan has them, each free and used once', async () => {
    const free = await newPerson(tessera)
    const path = `bar-${randomUUID().slice(0, 8)}`
    const withPath = { ...table(1), vanityUrl: path }
    const beyond = await expectRefusal(
      post(free, { rows: [table(2), withPath] }),
      'custom_path_not_in_plan',
    )
    expect(Object.keys(beyond.fields ?? {})).toEqual(['rows.1.vanityUrl'])
    const person = await newPerson(tessera, 'professional')
    const twice = [withPath, { ...table(2), vanityUrl: path.toUpperCase() }]
    expect((await refusal(await post(person, { rows: twice }))).fields).toEqual({
      'rows.1.vanityUrl': 'An earlier row has the same custom URL',
    })
    const [code] = await make(person, [withPath, table(2)])
    expect(code?.vanityUrl).toBe(path)
    expect(await leadsTo(tessera, path)).toBe(table(1).url)
    const taken = await expectRefusal(
      post(person, { rows: [table(3), withPath] }),
      'custom_path_taken',
    )
    expect(Object.keys(taken.fields ?? {})).toEqual(['rows.1.vanityUrl'])
    expect(await list(person)).toHaveLength(2)
    expect(await used(person)).toBe(2)
  })

  test('takes a body of two megabytes', async () => {
    const url = `https://example.com/${'x'.repeat(1_900)}`
    const rows = tables(1_000).map(({ name }) => ({ name, url }))
    expect(await make(person, rows)).toHaveLength(1_000)
    const beyond = { rows: tables(1), more: 'x'.repeat(2 * 1024 * 1024) }
    await expectRefusal(post(person, beyond), 'body_too_large')
  })

  test('takes the last places if several are made at once', async () => {
    const person = await newPerson(tessera, 'professional')
    const answers = Array.from({ length: 8 }, () => post(person, { rows: tables(4) }))
    expect(await tally(answers)).toEqual({ 201: 2, 403: 6 })
    expect(await list(person)).toHaveLength(8)
    expect(await used(person)).toBe(8)
  })
})
