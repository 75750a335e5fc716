import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { DAY_MS } from '#contract/time.ts'
import type { QrCode } from '../../src/contract/codes/codes.ts'
import { ownCode } from '../../src/server/codes/codes-store.ts'
import { BEHIND_PROXY } from '../support/crowd.ts'
import { engines } from '../support/engines.ts'
import { enrolPerson, newPerson } from '../support/person.ts'
import { expectRefusal } from '../support/refusal.ts'
import { runTessera } from '../support/tessera.ts'

/** More than go into JSON without a pause. */
const MANY = 230

describe.each(engines)('the list of codes on %s', (engine) => {
  const tessera = runTessera({ engine, environment: BEHIND_PROXY })
  const owner = enrolPerson(tessera, 'unlimited')
  const made: QrCode[] = []
  beforeAll(async () => {
    const menus = [
      ['banana', 'https://example.com/yellow'],
      ['Apple', 'https://example.com/red'],
      ['100%_sure', 'https://example.org/literal'],
      ['Äpfel und Öl', 'https://example.org/umlaut'],
      ['cherry', 'https://Example.net/RED?Case=Kept'],
    ] as const
    for (const [name, url] of menus) {
      made.push(await owner.code({ name, url }))
      tessera.clock.advance(1000)
    }
    await owner.change(made[0]?.id ?? '', { vanityUrl: `fruit-${engine}`, isActive: false })
    await owner.draft()
    await (await newPerson(tessera)).code({ name: 'A foreign apple' })
  })

  async function list(query = '', person = owner) {
    const response = await person.call(`/api/qr-codes${query}`)
    expect(response.status).toBe(200)
    const codes = (await response.json()) as QrCode[]
    return { names: codes.map((code) => code.name), total: response.headers.get('x-total-count') }
  }

  test('is empty for a new account', async () => {
    expect(await list('', await newPerson(tessera))).toEqual({ names: [], total: '0' })
  })

  test('of many codes is complete, and has the bytes of JSON.stringify', async () => {
    const rich = await newPerson(tessera, 'unlimited')
    const names = Array.from({ length: MANY }, (_, index) => `Table ${index} “Ä” \\ "`)
    const { id } = await rich.code({ name: names[0] ?? '' })
    const { db } = tessera.database
    const row = await ownCode(db, rich.workspaceId, id)
    const copies = names.slice(1).map((name, index) => {
      return { ...row, id: randomUUID(), short_code: `many${index}`, name }
    })
    await db.insertInto('codes').values(copies).execute()
    const response = await rich.call('/api/qr-codes')
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const text = await response.text()
    expect(Number(response.headers.get('content-length'))).toBe(Buffer.byteLength(text))
    const codes = JSON.parse(text) as QrCode[]
    expect(text).toBe(JSON.stringify(codes))
    expect(codes.map(({ name }) => name).sort()).toEqual(names.sort())
    expect(response.headers.get('x-total-count')).toBe(`${MANY}`)
  })

  test('without parameters holds all codes of the account, newest first', async () => {
    expect(await list()).toEqual({
      names: ['cherry', 'Äpfel und Öl', '100%_sure', 'Apple', 'banana'],
      total: '5',
    })
  })

  test.each([
    ['created', ['banana', 'Apple', '100%_sure', 'Äpfel und Öl', 'cherry']],
    ['-created', ['cherry', 'Äpfel und Öl', '100%_sure', 'Apple', 'banana']],
    ['url', ['Apple', 'banana', 'cherry', '100%_sure', 'Äpfel und Öl']],
  ])('is sorted by %s', async (sort, names) => {
    expect((await list(`?sort=${sort}`)).names).toEqual(names)
  })

  test('has names in the order of people, and is searched as they write', async () => {
    const person = await newPerson(tessera, 'unlimited')
    const names = ['Apfel', 'A\u0308pfel', 'Table 2', 'Table 10', 'Zebra']
    for (const name of names.toReversed()) await person.code({ name })
    const url = 'https://müller.de/straße'
    const { id, shortCode } = await person.code({ name: 'Zoo', url, vanityUrl: `zoo-${engine}` })
    names.push('Zoo')
    expect((await list('?sort=name', person)).names).toEqual(names)
    expect((await list('?sort=-name&page=1', person)).names).toEqual(names.toReversed())

    const { origin, host } = new URL(tessera.origin)
    const links = [`${origin}/qr/${shortCode}`, `${host}/QR/zoo-${engine}/`, `qr/${shortCode}`]
    const spellings = ['müller', 'MÜLLER.de/stra', 'mu\u0308ller', 'straße', 'stra%C3']
    for (const q of [...links, `#${id.slice(0, 8)}`, ...spellings]) {
      const asked = await list(`?q=${encodeURIComponent(q)}`, person)
      expect([q, asked.names]).toEqual([q, ['Zoo']])
    }
    expect((await list('?q=äpf', person)).names).toEqual(['A\u0308pfel'])
    for (const link of links) {
      const asked = await list(`?link=${encodeURIComponent(link)}`, person)
      expect([link, asked.names]).toEqual([link, ['Zoo']])
    }
  })

  test('is sorted by name without regard to case', async () => {
    const plain = ['100%_sure', 'Apple', 'banana', 'cherry']
    const { names } = await list('?sort=name')
    expect(names.filter((name) => plain.includes(name))).toEqual(plain)
    expect((await list('?sort=-name')).names).toEqual(names.toReversed())
  })

  test.each([
    ['APPLE', ['Apple']],
    ['äPFEL', ['Äpfel und Öl']],
    ['öl', ['Äpfel und Öl']],
    ['example.org', ['Äpfel und Öl', '100%_sure']],
    ['red', ['cherry', 'Apple']],
    ['%', ['100%_sure']],
    ['_', ['100%_sure']],
    ['\\', []],
    ["' or 1=1 --", []],
    ['nothing like it', []],
    ['fruit-', ['banana']],
  ])('a search for %j finds %j', async (q, names) => {
    const found = await list(`?q=${encodeURIComponent(q)}`)
    expect(found).toEqual({ names, total: String(names.length) })
  })

  test('a filter by a link that no database can hold finds nothing', async () => {
    for (const link of ['%2500', 'qr/%2500', 'https://other.example/a%2500', '%ED%A0%80']) {
      expect([link, (await list(`?link=${link}`)).names]).toEqual([link, []])
    }
  })

  test('a search finds a short code', async () => {
    expect((await list(`?q=${made[1]?.shortCode.toUpperCase()}`)).names).toEqual(['Apple'])
  })

  test('is filtered by status', async () => {
    const person = await newPerson(tessera)
    const [active, paused] = [await person.code({ name: 'Old' }), await person.code()]
    tessera.clock.advance(15 * DAY_MS)
    await person.change(paused.id, { name: 'Paused', isActive: false })
    await person.code({ name: 'New' })
    expect((await list('?status=active', person)).names).toEqual(['New'])
    expect((await list('?status=inactive', person)).names).toEqual(['Paused'])
    expect((await list('?status=expired', person)).names).toEqual(['Old'])
    expect(active.expiresAt).not.toBeNull()
    expect((await list('?status=active')).total).toBe('4')
  })

  test('comes in pages of 25 with the number of all', async () => {
    const person = await newPerson(tessera, 'unlimited')
    for (let index = 1; index <= 27; index++) {
      await person.code({ name: `Code ${String(index).padStart(2, '0')}` })
    }
    const first = await list('?page=1&sort=name', person)
    const second = await list('?page=2&sort=name', person)
    expect([first.total, second.total]).toEqual(['27', '27'])
    expect(first.names).toHaveLength(25)
    expect(second.names).toEqual(['Code 26', 'Code 27'])
    expect(await list('?page=3&sort=name', person)).toEqual({ names: [], total: '27' })
    expect((await list('', person)).names).toHaveLength(27)
  })

  test.each([
    'page=0',
    'page=x',
    'page=99999',
    'page=1&page=2',
    'status=deleted',
    'sort=user_id',
    `q=${'x'.repeat(201)}`,
    'q=a%00b',
  ])('refuses ?%s', async (query) => {
    const answer = await expectRefusal(owner.call(`/api/qr-codes?${query}`), 'invalid_input')
    expect(Object.keys(answer.fields ?? {})).toEqual([query.split('=')[0]])
  })
})
