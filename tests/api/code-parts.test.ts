import { beforeEach, describe, expect, test } from 'vitest'
import type { QrCode } from '../../src/contract/codes/codes.ts'
import { DAY_MS } from '../../src/contract/time.ts'
import { engines } from '../support/engines.ts'
import { madeIn } from '../support/for-block.ts'
import { enrolForEach } from '../support/person.ts'
import { newProgram } from '../support/program.ts'
import { refusal } from '../support/refusal.ts'
import { runTessera } from '../support/tessera.ts'

type Part = { items: QrCode[]; nextCursor: string | null }

describe.each(engines)('a list in parts on %s', (engine) => {
  const tessera = runTessera({ engine })
  const ada = enrolForEach(tessera, 'unlimited')
  const robot = madeIn(beforeEach, () => newProgram(ada, { scope: 'read' }))

  const make = (names: string[]) =>
    ada.make<QrCode[]>('/api/qr-codes/bulk', {
      rows: names.map((name) => ({ name, url: `https://example.com/${name.length}` })),
    })
  const part = (query: string, path = '/api/qr-codes') => robot.ask<Part>(`${path}?${query}`)
  const idsOf = (codes: { id: string }[]) => codes.map(({ id }) => id)

  /** Reads a list to its end. `between` happens after the first part. */
  async function walk(query: string, { path = '/api/qr-codes', between = async () => {} } = {}) {
    const parts = [await part(`limit=3&${query}`, path)]
    await between()
    for (let next = parts[0]?.nextCursor; next; next = parts.at(-1)?.nextCursor) {
      parts.push(await part(`limit=3&${query}&cursor=${encodeURIComponent(next)}`, path))
    }
    return parts
  }

  test('every order gives each code once, also among equal names and links', async () => {
    await make(['b', 'a', 'B', 'ä', 'a', 'Zoë', 'a'])
    for (const sort of ['', 'created', '-created', 'name', '-name', 'url', '-url']) {
      const query = sort && `sort=${sort}`
      const parts = await walk(query)
      const whole = await ada.ask<QrCode[]>(`/api/qr-codes?${query}`)
      expect([sort, idsOf(parts.flatMap(({ items }) => items))]).toEqual([sort, idsOf(whole)])
      expect(parts.map(({ items }) => items.length)).toEqual([3, 3, 1])
    }
  })

  test('a code that is made or deleted between two parts neither repeats nor hides another', async () => {
    const made = await make(['1', '2', '3', '4', '5', '6'])
    const parts = await walk('sort=-created', {
      between: async () => {
        await make(['new'])
        for (const gone of [made[1], made[4]]) {
          await ada.ask(`/api/qr-codes/${gone?.id}`, { method: 'DELETE' })
        }
      },
    })
    const names = parts.map(({ items }) => items.map(({ name }) => name))
    expect(names).toEqual([
      ['1', '2', '3'],
      ['4', '6'],
    ])
  })

  test('filters count, by a tag, too; without a limit there are 100 in a part', async () => {
    const [first, , third] = await make(['Menu', 'Door', 'Menu 2', 'Wall'])
    for (const code of [first, third]) await ada.change(code?.id ?? '', { tags: ['Summer'] })
    expect(idsOf((await part('tag=summer&limit=1')).items)).toEqual(idsOf([first as QrCode]))
    expect((await walk('q=menu')).flatMap(({ items }) => items)).toHaveLength(2)
    tessera.clock.advance(40 * DAY_MS)
    expect((await walk('status=unscanned')).map(({ items }) => items.length)).toEqual([3, 1])
    await make(Array.from({ length: 100 }, (_, index) => `${index}`))
    const { items, nextCursor } = await part('limit=100')
    expect([items.length, (await part(`cursor=${nextCursor}`)).items.length]).toEqual([100, 4])
  })

  test('the bin is read in parts, too', async () => {
    const made = await make(['1', '2', '3', '4'])
    for (const { id } of made) await ada.ask(`/api/qr-codes/${id}`, { method: 'DELETE' })
    const parts = await walk('', { path: '/api/qr-codes/bin' })
    expect(parts.map(({ items }) => items.length)).toEqual([3, 1])
    expect(new Set(idsOf(parts.flatMap(({ items }) => items)))).toEqual(new Set(idsOf(made)))
  })

  test('a cursor of another order or a made-up one is refused at its field', async () => {
    await make(['1', '2'])
    const [byName, byAge] = [await part('limit=1&sort=name'), await part('limit=1&sort=created')]
    const forged = [['name', 'a\0', 'x'], ['-created', 1.5, 2], [], 'x']
    const wrong = forged.map((value) => Buffer.from(JSON.stringify(value)).toString('base64url'))
    for (const cursor of [byName.nextCursor, byAge.nextCursor, 'x', '%00', ...wrong]) {
      const said = await refusal(await robot.call(`/api/qr-codes?cursor=${cursor}`))
      expect([cursor, said.code, said.fields?.cursor]).toEqual([
        ...[cursor, 'invalid_input', expect.any(String)],
      ])
    }
    const byScans = await refusal(await robot.call('/api/qr-codes?limit=1&sort=-scans'))
    expect(byScans.fields).toMatchObject({ sort: expect.any(String) })
  })
})
