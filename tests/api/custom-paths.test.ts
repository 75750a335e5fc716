import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { DAY_MS } from '#contract/time.ts'
import type { QrCode } from '../../src/contract/codes/codes.ts'
import { BEHIND_PROXY } from '../support/crowd.ts'
import { oneEngineInCi } from '../support/engines.ts'
import { jobsAfter } from '../support/jobs.ts'
import { leadsTo } from '../support/link.ts'
import { enrolPerson, newPerson, type Person, subscribe } from '../support/person.ts'
import { expectRefusal, refusal } from '../support/refusal.ts'
import { runTessera } from '../support/tessera.ts'

const NOT_IN_PLAN =
  'Available for Professional and Unlimited subscribers. ' +
  'Upgrade to Professional or Unlimited to use custom URLs.'
const LETTERS = 'Vanity URL can only contain letters, numbers, hyphens, and underscores'
const TAKEN = 'This custom URL is already taken. Please choose another one.'

const newPath = () => `menu-${randomBytes(6).toString('hex')}`

describe.each(oneEngineInCi)('custom paths on %s', (engine) => {
  const tessera = runTessera({ engine, environment: BEHIND_PROXY })
  const owner = enrolPerson(tessera, 'unlimited')

  const get = (person: Person, id: string) => person.ask<QrCode>(`/api/qr-codes/${id}`)

  test.each([
    ['ab', 'Vanity URL must be at least 3 characters'],
    ['x'.repeat(51), 'Vanity URL must be at most 50 characters'],
    ['a b c', LETTERS],
    ['menü', LETTERS],
    ['a/../b', LETTERS],
    ['abc\u200b', LETTERS],
  ])('%j is refused', async (vanityUrl, message) => {
    const code = await owner.code()
    expect(await refusal(await owner.patch(code.id, { vanityUrl }))).toEqual({
      status: 422,
      code: 'invalid_input',
      message,
      fields: { vanityUrl: message },
    })
    expect(await get(owner, code.id)).toEqual(code)
  })

  test.each(['abc', 'x'.repeat(50), '-_-', '123', '__proto__', 'constructor'])(
    '%j is a custom path',
    async (vanityUrl) => {
      const code = await owner.code({ vanityUrl })
      expect(code.vanityUrl).toBe(vanityUrl)
      expect(await leadsTo(tessera, vanityUrl)).toBe(code.url)
      expect(await leadsTo(tessera, code.shortCode)).toBe(code.url)
    },
  )

  test('a custom path is the same in any case', async () => {
    const path = newPath()
    const code = await owner.code({ vanityUrl: ` ${path.toUpperCase()} ` })
    expect(code.vanityUrl).toBe(path)
    expect(await leadsTo(tessera, path.toUpperCase())).toBe(code.url)
    const other = await owner.code()
    const answer = await refusal(await owner.patch(other.id, { vanityUrl: path.toUpperCase() }))
    expect(answer).toEqual({
      status: 409,
      code: 'custom_path_taken',
      message: TAKEN,
      fields: { vanityUrl: TAKEN },
    })
  })

  test.each(['free', 'starter'] as const)('the %s plan has none', async (tier) => {
    const person = await newPerson(tessera, tier)
    const code = await person.code()
    const change = { name: 'Renamed', vanityUrl: newPath() }
    expect(await refusal(await person.patch(code.id, change))).toEqual({
      status: 403,
      code: 'custom_path_not_in_plan',
      message: NOT_IN_PLAN,
      fields: { vanityUrl: NOT_IN_PLAN },
    })
    const short = await refusal(await person.patch(code.id, { vanityUrl: 'ab' }))
    expect(short).toMatchObject({
      status: 422,
      message: 'Vanity URL must be at least 3 characters',
    })
    expect(await get(person, code.id)).toEqual(code)
    const { id } = await person.draft()
    const first = { name: 'Menu', url: 'https://example.com', vanityUrl: newPath() }
    expect((await person.patch(id, first)).status).toBe(403)
    expect(await person.plan()).toMatchObject({ qrCodeCount: 1 })
    for (const none of ['', null]) {
      expect((await person.patch(code.id, { vanityUrl: none })).status).toBe(200)
    }
  })

  test('a lapsed plan keeps the path it has, and gets no other', async () => {
    const person = await newPerson(tessera, 'professional')
    const path = newPath()
    const code = await person.code({ vanityUrl: path })
    await subscribe(person, 'professional', 'canceled')
    const url = 'https://example.com/corrected'
    await person.change(code.id, { url, vanityUrl: path.toUpperCase() })
    expect(await leadsTo(tessera, path)).toBe(url)
    for (const none of ['', null]) {
      expect(await person.change(code.id, { vanityUrl: none })).toMatchObject({ vanityUrl: path })
      expect(await leadsTo(tessera, path)).toBe(url)
    }
    await expectRefusal(person.patch(code.id, { vanityUrl: newPath() }), 'custom_path_not_in_plan')
  })

  test('a paid plan can remove its path, and the printed path keeps working', async () => {
    const path = newPath()
    const code = await owner.code({ vanityUrl: path })
    expect(await owner.change(code.id, { vanityUrl: '' })).toMatchObject({ vanityUrl: null })
    expect(await leadsTo(tessera, path)).toBe(code.url)
    await owner.change(code.id, { url: 'https://example.com/moved' })
    expect(await leadsTo(tessera, path)).toBe('https://example.com/moved')
  })

  test('up to twenty former paths of a code keep working', async () => {
    const code = await owner.code()
    const paths = Array.from({ length: 21 }, newPath)
    for (const vanityUrl of paths) await owner.change(code.id, { vanityUrl })
    for (const path of [...paths, code.shortCode]) {
      expect(await leadsTo(tessera, path)).toBe(code.url)
    }
    const full = {
      status: 409,
      code: 'former_paths_full',
      message:
        'This QR code already has 20 earlier custom URLs, and they all keep working. ' +
        'Use one of those, or create a new QR code.',
    }
    const fresh = newPath()
    expect(await refusal(await owner.patch(code.id, { vanityUrl: fresh }))).toEqual(full)
    expect(await refusal(await owner.patch(code.id, { vanityUrl: '' }))).toEqual(full)
    expect((await get(owner, code.id)).vanityUrl).toBe(paths.at(-1))
    expect(await leadsTo(tessera, fresh)).toBe(404)
    const wanted = { vanityUrl: paths[0] }
    expect(await owner.change(code.id, { vanityUrl: paths[0] })).toMatchObject(wanted)
    for (const path of paths) expect(await leadsTo(tessera, path)).toBe(code.url)
  })

  test('a former path is not free for another code', async () => {
    const [first, second] = [newPath(), newPath()]
    const code = await owner.code({ vanityUrl: first })
    await owner.change(code.id, { vanityUrl: second })
    const rival = await newPerson(tessera, 'professional')
    const own = await rival.code()
    for (const vanityUrl of [first, second, code.shortCode, code.shortCode.toUpperCase()]) {
      const change = { name: 'Other', vanityUrl }
      await expectRefusal(rival.patch(own.id, change), 'custom_path_taken')
    }
    expect(await get(rival, own.id)).toEqual(own)
    expect(await owner.change(code.id, { vanityUrl: first })).toMatchObject({ vanityUrl: first })
    expect(await leadsTo(tessera, second)).toBe(code.url)
  })

  test('the names of a deleted code stay reserved, also after the purge', async () => {
    const [former, custom] = [newPath(), newPath()]
    const code = await owner.code({ vanityUrl: former })
    await owner.change(code.id, { vanityUrl: custom })
    const names = [former, custom, code.shortCode]
    await owner.remove(code.id)
    const rival = await newPerson(tessera, 'professional')
    const own = await rival.code()
    const allTaken = async () => {
      for (const vanityUrl of names) {
        expect(await leadsTo(tessera, vanityUrl)).toBe(404)
        expect((await rival.patch(own.id, { vanityUrl })).status).toBe(409)
      }
    }
    await allTaken()
    await jobsAfter(tessera, 31 * DAY_MS)
    await allTaken()
    const { db } = tessera.database
    const left = await sql`select key, code_id, kind from paths
      where key in (${sql.join(names)}) order by key`.execute(db)
    expect(left.rows).toEqual(names.sort().map((key) => ({ key, code_id: null, kind: 'reserved' })))
    expect((await sql`select id from codes where id = ${code.id}`.execute(db)).rows).toEqual([])
  })
})
