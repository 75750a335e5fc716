import { beforeEach, describe, expect, test } from 'vitest'
import type { Scan } from '../../src/contract/analytics/figures.ts'
import type { QrCode } from '../../src/contract/codes/codes.ts'
import type { AccountUse } from '../../src/contract/integrations/api-keys.ts'
import { updateWhere } from '../../src/server/database/rows.ts'
import { databaseLimits } from '../../src/server/http/limits/limits.ts'
import { engines } from '../support/engines.ts'
import { madeIn } from '../support/for-block.ts'
import { recordPast } from '../support/past-scans.ts'
import { enrolForEach, newPerson } from '../support/person.ts'
import { newProgram } from '../support/program.ts'
import { expectRefusal } from '../support/refusal.ts'
import { runTessera } from '../support/tessera.ts'

const CODES = '/api/qr-codes'
const URL_OF = (name: string) => `https://example.com/${name}`

describe.each(engines)('programs on %s', (engine) => {
  const tessera = runTessera({ engine })
  const ada = enrolForEach(tessera, 'unlimited')
  const robot = madeIn(beforeEach, () => newProgram(ada))

  const make = (body: object) =>
    robot.make<QrCode>(CODES, { name: 'Menu', url: URL_OF('menu'), ...body })
  const put = (id: string, body: object) =>
    robot.call(`${CODES}/external/${encodeURIComponent(id)}`, { method: 'PUT', body })
  const many = (call: 'change' | 'delete', body: object, headers = {}) =>
    robot.call(`${CODES}/bulk/${call}`, { method: 'POST', body, headers })
  const idsOf = async (answer: Promise<Response>) =>
    ((await (await answer).json()) as { ids: string[] }).ids
  const found = async (query: Record<string, string>) => {
    const codes = await robot.ask<QrCode[]>(`${CODES}?${new URLSearchParams(query)}`)
    return codes.map(({ id }) => id)
  }

  describe('hear of what a call does not know', () => {
    test('a field, a field within a field and a parameter are refused by name; browsers may send them', async () => {
      const { id } = await make({})
      const refused = await expectRefusal(
        robot.post(CODES, { name: 'Menu', url: 'menu', colour: 'red', Tag_s: [], expiresAt: null }),
        'invalid_input',
      )
      expect(refused.fields).toEqual({
        colour: 'Unknown field: colour',
        Tag_s: 'Unknown field: Tag_s. Did you mean tags?',
        url: expect.stringContaining('Must be a valid URL'),
        expiresAt: 'You can read expiresAt, but not change it. Leave it out.',
      })
      const rows = [{ name: 'Menu', url: URL_OF('menu'), Tags: [] }]
      const bulk = robot.call(`${CODES}/bulk`, { method: 'POST', body: { rows } })
      const wanted = { 'rows.0.Tags': 'Unknown field: rows.0.Tags. Did you mean tags?' }
      expect((await expectRefusal(bulk, 'invalid_input')).fields).toEqual(wanted)
      const figures = robot.call(`/api/analytics/figures?qr=${id}&contry=DE`)
      expect((await expectRefusal(figures, 'invalid_input')).fields).toEqual({
        contry: 'Unknown parameter: contry. Did you mean country?',
      })
      const badly = robot.patch(id, { name: '' }, { 'if-match': '3' })
      const { fields } = await expectRefusal(badly, 'invalid_input')
      expect(Object.keys(fields ?? {})).toEqual(['name', 'if-match'])
      const many = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`nam${at}`, 0]))
      const all = await expectRefusal(robot.post(CODES, { ...many, name: 'Menu' }), 'invalid_input')
      expect(Object.keys(all.fields ?? {})).toHaveLength(50)
      expect((await robot.call(`${CODES}?t=1`)).status).toBe(200)
      expect((await ada.call(`${CODES}?anything=1`)).status).toBe(200)
      expect((await ada.patch(id, { name: 'Card', more: 1 })).status).toBe(200)
    })

    test('a code sent back as it was read is taken, and with another value in a field that is only read refused', async () => {
      const code = await make({})
      const changed = await robot.patch(code.id, { ...code, name: 'Card' })
      expect(await changed.json()).toMatchObject({ name: 'Card', version: 2 })
      const other = robot.patch(code.id, { ...code, version: 2, shortCode: 'mine' })
      expect((await expectRefusal(other, 'invalid_input')).fields).toEqual({
        shortCode: 'You can read shortCode, but not change it. Leave it out.',
      })
    })

    test('faults are said in plain words, malformed JSON with its place', async () => {
      const send = (text: string) =>
        fetch(tessera.origin + CODES, {
          method: 'POST',
          headers: { authorization: `Bearer ${robot.key}`, 'content-type': 'application/json' },
          body: text,
        })
      expect((await expectRefusal(send('{"name": "Menu",}'), 'bad_request')).message).toMatch(
        /^The body isn’t valid JSON\. .*position 16/,
      )
      expect((await expectRefusal(send('{"name": 7}'), 'invalid_input')).fields).toEqual({
        name: 'Must be text',
        url: 'url is required',
      })
      const cut = await expectRefusal(send('{"name":"M","url":"example.com"}'), 'invalid_input')
      expect(cut.message).toBe('Must be a valid URL: add https://')
      const withoutKey = await fetch(tessera.origin + CODES, {
        headers: { 'x-api-key': robot.key },
      })
      expect([withoutKey.status, withoutKey.headers.get('www-authenticate')]).toEqual([
        401,
        'Bearer',
      ])
    })

    test('DELETE and restore take a JSON content type without a body', async () => {
      const { id } = await make({})
      const headers = { 'content-type': 'application/json' }
      const deleted = await robot.call(`${CODES}/${id}`, { method: 'DELETE', headers })
      expect(deleted.status).toBe(204)
      const restored = await robot.call(`${CODES}/${id}/restore`, { method: 'POST', headers })
      expect(restored.status).toBe(200)
    })
  })

  describe('change artwork', () => {
    test('by its parts: the others stay, and null resets one, or all', async () => {
      const frame = { shape: 'line', text: 'Scan me', color: '#1E40AF', textColor: '#FFFFFF' }
      const { id, artwork } = await make({ artwork: { margin: 6, frame } })
      const patch = async (body: object) => (await (await robot.patch(id, body)).json()) as QrCode
      const dotted = await patch({ artwork: { modules: 'dots', frame: { text: 'Menu' } } })
      expect(dotted.artwork).toEqual({
        ...artwork,
        modules: 'dots',
        frame: { ...artwork?.frame, text: 'Menu' },
      })
      expect((await patch({ artwork: { frame: null } })).artwork).toMatchObject({
        modules: 'dots',
        margin: 6,
        frame: null,
      })
      expect((await patch({ artwork: { margin: null } })).artwork).toMatchObject({ margin: 4 })
      expect((await patch({ artwork: null })).artwork).toBeNull()
      const halfFrame = robot.patch(id, { artwork: { frame: { text: 'Menu' } } })
      const { fields } = await expectRefusal(halfFrame, 'invalid_input')
      expect(Object.keys(fields ?? {})).toContain('artwork.frame.shape')
    })
  })

  describe('find and make codes', () => {
    test('by an id of their own: made, changed, and taken out of the trash by one call', async () => {
      const wanted = { name: 'Table 7', url: URL_OF('7') }
      const [one, two] = await Promise.all([put('table/7', wanted), put('table/7', wanted)])
      expect([one.status, two.status].sort()).toEqual([200, 201])
      const code = (await one.json()) as QrCode
      expect(code).toMatchObject({ ...wanted, externalId: 'table/7' })
      expect(await found({ externalId: 'table/7' })).toEqual([code.id])

      await robot.remove(code.id)
      const again = await put('table/7', { ...wanted, name: 'Table seven' })
      expect([again.status, await again.json()]).toMatchObject([
        200,
        { id: code.id, name: 'Table seven' },
      ])
      const taken = robot.post(CODES, { ...wanted, externalId: 'table/7' })
      await expectRefusal(taken, 'external_id_taken')
      const other = await make({})
      await expectRefusal(robot.patch(other.id, { externalId: 'table/7' }), 'external_id_taken')
      const renamed = put('table/7', { ...wanted, externalId: 'other' })
      expect((await expectRefusal(renamed, 'invalid_input')).fields).toHaveProperty('externalId')
      await expectRefusal(robot.call(`${CODES}?externalId=`), 'invalid_input')
      const eve = await newProgram(await newPerson(tessera, 'unlimited'))
      expect(
        (await eve.call(`${CODES}/external/table%2F7`, { method: 'PUT', body: wanted })).status,
      ).toBe(201)
    })

    test('by its link, its short code, and a custom path that it has or had', async () => {
      const code = await make({ vanityUrl: `m${Date.now()}` })
      const path = `n${Date.now()}`
      const { link } = await robot.amend<QrCode>(`${CODES}/${code.id}`, { vanityUrl: path })
      expect(link).toBe(`${tessera.config.publicUrl}/qr/${path}`)
      const names = [
        link,
        path.toUpperCase(),
        `/qr/${path}`,
        code.vanityUrl ?? '',
        code.shortCode,
        code.link,
      ]
      for (const name of names)
        expect([name, await found({ link: name })]).toEqual([name, [code.id]])
      expect(await found({ link: `https://elsewhere.example/qr/${path}` })).toEqual([])
      const eve = await newProgram(await newPerson(tessera, 'unlimited'))
      expect(await eve.ask(`${CODES}?link=${path}`)).toEqual([])
    })

    test('by the day they were made, and every short list in parts', async () => {
      const { id, createdAt } = await make({ tags: ['Bar', 'Spring', 'Table'] })
      const next = new Date(Date.parse(createdAt) + 1).toISOString()
      expect(await found({ createdFrom: createdAt, createdBefore: next })).toEqual([id])
      expect(await found({ createdFrom: next })).toEqual([])
      expect(await found({ createdBefore: createdAt })).toEqual([])
      type Part = { items: { name: string }[]; nextCursor: string | null }
      const names: string[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const part: Part = await robot.ask(`/api/tags?limit=2${cursor && `&cursor=${cursor}`}`)
        names.push(...part.items.map(({ name }) => name))
        cursor = part.nextCursor
      }
      expect(names).toEqual(['Bar', 'Spring', 'Table'])
      await expectRefusal(robot.call('/api/tags?cursor=none'), 'invalid_input')
    })

    test('a bulk row takes every field, and rows with faults are named and create no code', async () => {
      const bulk = (rows: object[]) =>
        robot.call(`${CODES}/bulk`, { method: 'POST', body: { rows, tags: ['All'] } })
      const row = { name: 'One', url: URL_OF('1'), externalId: 'one' }
      const full = { ...row, tags: ['Bar'], isActive: false, style: 'rounded', ecc: 'H' }
      const made = (await (
        await bulk([full, { name: 'Two', url: URL_OF('2') }])
      ).json()) as QrCode[]
      expect(made).toMatchObject([
        { externalId: 'one', tags: ['All', 'Bar'], isActive: false, style: 'rounded', ecc: 'H' },
        { externalId: null, tags: ['All'], isActive: true },
      ])
      const twice = { ...row, externalId: 'same' }
      const { fields } = await expectRefusal(bulk([row, twice, twice]), 'external_id_taken')
      expect(Object.keys(fields ?? {})).toEqual([0, 1, 2].map((at) => `rows.${at}.externalId`))
      const logo = { id: 'a'.repeat(32), size: 5 }
      for (const domain of ['qr.example.org', 'a\u0000b']) {
        const foreign = bulk([{ ...row, externalId: 'x', domain, artwork: { logo } }])
        const { fields: faults } = await expectRefusal(foreign, 'invalid_input')
        expect(Object.keys(faults ?? {})).toEqual(['rows.0.domain'])
      }
      expect(await robot.ask<QrCode[]>(CODES)).toHaveLength(2)
    })
  })

  describe('change and delete many', () => {
    test('by ids or by tag, all or none, once for a key, and first without doing it', async () => {
      const codes = [await make({ tags: ['Bar'] }), await make({ tags: ['bar'] }), await make({})]
      const [one = '', two = '', three = ''] = codes.map(({ id }) => id)
      const paused = { change: { isActive: false } }
      expect(await idsOf(many('change', { tag: 'BAR', dryRun: true, ...paused }))).toEqual([
        one,
        two,
      ])
      expect((await robot.ask<QrCode[]>(`${CODES}?status=inactive`)).length).toBe(0)
      const once = { 'idempotency-key': 'pause' }
      for (const replayed of [null, 'true']) {
        const answer = await many(
          'change',
          { ids: [one, three, one.toUpperCase()], ...paused },
          once,
        )
        expect(answer.headers.get('idempotency-replayed')).toBe(replayed)
        expect(await answer.json()).toEqual({ ids: [one, three], dryRun: false })
      }
      expect(await idsOf(many('change', { ids: [one, two], ...paused }))).toEqual([two])

      const foreign = await newPerson(tessera, 'unlimited').then((eve) => eve.code())
      const missing = await expectRefusal(
        many('delete', { ids: [one, foreign.id] }),
        'code_not_found',
      )
      expect(Object.keys(missing.fields ?? {})).toEqual([`ids.${foreign.id}`])
      await expectRefusal(many('delete', { ids: [one], tag: 'Bar' }), 'invalid_input')
      await expectRefusal(many('delete', { tag: 'Nowhere' }), 'invalid_input')
      await expectRefusal(
        many('change', { ids: [one], change: { vanityUrl: 'bar' } }),
        'invalid_input',
      )
      expect(await robot.ask<QrCode[]>(CODES)).toHaveLength(3)
      const spellings = [one, one.toUpperCase(), two]
      expect(await idsOf(many('delete', { ids: spellings }))).toEqual([one, two])
      expect(await robot.ask<AccountUse>('/api/account/me')).toMatchObject({ codes: { used: 1 } })
      expect((await robot.ask<QrCode[]>(CODES)).map(({ id }) => id)).toEqual([three])
    })
  })

  test('see their plan and what is left, and a refusal says how many still fit', async () => {
    await make({ vanityUrl: `p${Date.now()}` })
    const use = () => robot.ask<AccountUse>('/api/account/me')
    const { max } = databaseLimits['paid-names']
    expect(await use()).toMatchObject({
      id: ada.workspaceId,
      email: ada.email,
      plan: 'unlimited',
      key: { name: 'Robot', scope: 'write' },
      codes: { limit: null, used: 1, left: null },
      newNames: { limit: max, used: 2, left: max - 2 },
    })
    const names = { who: ada.workspaceId, name: 'paid-names' }
    const counts = updateWhere(tessera.database.db, 'limit_counts', names)
    await counts.set({ count: max - 1 }).execute()
    const rows = [1, 2].map((each) => ({ name: `${each}`, url: URL_OF(`${each}`) }))
    const body = { rows }
    const refused = robot.call(`${CODES}/bulk`, { method: 'POST', body })
    const { message } = await expectRefusal(refused, 'daily_limit_reached')
    expect(message).toMatch(/^Your account can create 1 more QR code or custom URL now/)
    await make({})
    expect((await use()).newNames.left).toBe(0)
  })

  test('read single scans in pages, by days without a range, and filters in any case, but none that cannot be', async () => {
    const { id } = await make({})
    tessera.clock.set('2026-03-05T10:00:00Z')
    const times = ['2026-03-01T10:00:00Z', '2026-03-02T10:00:00Z', '2026-03-02T10:00:00Z']
    times.push('2026-03-02T10:00:00Z', '2026-03-02T11:00:00Z')
    await recordPast(
      tessera.database.location,
      times.map((at, index) => ({
        code_id: id,
        at: Date.parse(at),
        visitor: `${index}`,
        region: 'Bavaria',
      })),
    )
    type Part = { items: Scan[]; nextCursor: string | null }
    const scans: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const filters = 'country=de&language=DE&region=bavaria&device=mobile&os=ios'
      const query = `qr=${id}&from=2026-03-01&to=2026-03-04&${filters}&limit=1`
      const part: Part = await robot.ask(
        `/api/analytics/scans.json?${query}${cursor && `&cursor=${cursor}`}`,
      )
      for (const { at, qr, country, isFirst } of part.items) {
        expect([qr, country, isFirst]).toEqual([id, 'DE', true])
        scans.push(at)
      }
      cursor = part.nextCursor
    }
    expect(scans).toEqual(times.map((at) => new Date(at).toISOString()))
    for (const wrong of ['device=Phone', 'country=Germany', 'language=German']) {
      await expectRefusal(robot.call(`/api/analytics/figures?${wrong}`), 'invalid_input')
    }
    const both = robot.call(`/api/analytics/figures?qr=${id}&from=2026-03-01&range=7d`)
    await expectRefusal(both, 'invalid_input')
  })
})
