import { randomUUID } from 'node:crypto'
import { unzipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import type { QrCode } from '../../src/contract/codes/codes.ts'
import {
  type ChangedImportRow,
  type ImportEntry,
  type ImportNow,
  type ImportRows,
  type MadeImport,
  OPEN_IMPORTS_MAX,
  workbookTypes,
} from '../../src/contract/imports.ts'
import { DAY_MS } from '../../src/contract/time.ts'
import { purgeCodes } from '../../src/server/codes/cleanup.ts'
import { manyRows } from '../support/code-file.ts'
import { engines, oneEngineInCi } from '../support/engines.ts'
import { importFile, postFile, publishFile, sendFile, WANTED } from '../support/import-file.ts'
import { jobsAfter } from '../support/jobs.ts'
import { leadsTo } from '../support/link.ts'
import { enrolForEach, newPair, newPerson, type Person, subscribe } from '../support/person.ts'
import { expectRefusal, refusal } from '../support/refusal.ts'
import { rowsOf } from '../support/rows.ts'
import { times } from '../support/soak.ts'
import { runTessera } from '../support/tessera.ts'

const list = (person: Person) => person.ask<QrCode[]>('/api/qr-codes')
const stateOf = (person: Person, id: string) => person.ask<ImportNow>(`/api/imports/${id}`)
const used = async (person: Person) =>
  (await person.ask<{ qrCodeCount: number }>('/api/user/subscription')).qrCodeCount

describe.each(engines)('a file of codes on %s', (engine) => {
  const tessera = runTessera({ engine })
  const person = enrolForEach(tessera, 'unlimited')

  const FILE = [
    'Name;Destination;Custom URL;Tags',
    '"Menu; summer";example.com/menu;Summer-Menu;"Food, Summer"',
    ';https://example.com/2;x;',
    'Bar;ftp://example.com;;',
  ].join('\r\n')

  test('shows what is wrong with each row before anything is made', async () => {
    const read = await sendFile(person, FILE, { name: 'places.csv' })
    expect(read).toMatchObject({
      name: 'places.csv',
      format: 'sheet',
      state: 'checked',
      rows: 3,
      problems: 2,
      lostPaths: 0,
      done: 0,
      fault: null,
      room: 10_000,
    })
    expect(read.columns.map(({ as }) => as)).toEqual(['name', 'url', 'vanityUrl', 'tags'])
    expect(read.firstProblems.map(({ row, problems }) => ({ row, problems }))).toEqual([
      {
        row: 3,
        problems: [{ field: 'name', message: 'Name is required' }],
      },
      { row: 4, problems: [{ field: 'url', message: 'Must be a valid URL' }] },
    ])
    const rows = await person.ask<ImportRows>(`/api/imports/${read.id}/rows?limit=2`)
    expect(rows.items[0]).toMatchObject({
      row: 2,
      name: 'Menu; summer',
      url: 'https://example.com/menu',
      vanityUrl: 'summer-menu',
      tags: ['Food', 'Summer'],
      problems: [],
      codeId: null,
    })
    const next = `/api/imports/${read.id}/rows?only=problems&cursor=${rows.nextCursor}`
    expect((await person.ask<ImportRows>(next)).items.map(({ row }) => row)).toEqual([4])
    await expectRefusal(publishFile(person, read.id), 'import_has_problems')
    expect(await list(person)).toEqual([])
  })

  test('creates the rows that are ready if asked, and gives the others as a table with their errors', async () => {
    const earlier = await importFile(person, 'Name;Destination\nHall;example.com/hall')
    const { id } = await sendFile(person, FILE, { name: 'places.csv' })
    const skipped = await publishFile(person, id, { skipProblems: true })
    expect(skipped.status).toBe(202)
    await tessera.app.importsIdle()
    const ending = { state: 'published', rows: 3, problems: 2, done: 1, fault: null }
    expect(await stateOf(person, id)).toMatchObject(ending)
    const madeBy = async (asker: Person, importId: string) =>
      (await asker.ask<QrCode[]>(`/api/qr-codes?importId=${importId}`)).map(({ name }) => name)
    expect(await madeBy(person, id)).toEqual(['Menu; summer'])
    expect(await madeBy(person, earlier.id.toUpperCase())).toEqual(['Hall'])
    expect(await madeBy(await newPerson(tessera), id)).toEqual([])
    expect(await used(person)).toBe(2)
    const { items } = await person.ask<ImportRows>(`/api/imports/${id}/rows`)
    expect(items.map(({ codeId }) => codeId === null)).toEqual([false, true, true])
    const answer = await person.call(`/api/imports/${id}/rows.csv?only=problems`)
    expect(answer.headers.get('content-disposition')).toContain('places_rows.csv')
    const table = await answer.text()
    expect(table.split('\r\n').map((line) => line.replace('\uFEFF', ''))).toEqual([
      'Name,Destination,Custom URL,Tags,Error',
      ',https://example.com/2,x,,Name is required. Vanity URL must be at least 3 characters',
      'Bar,ftp://example.com,,,Must be a valid URL',
      '',
    ])
    const again = await sendFile(person, table)
    expect([again.rows, again.problems]).toEqual([2, 2])
    await expectRefusal(
      publishFile(person, again.id, { skipProblems: true }),
      'import_has_problems',
    )
  })

  test('is changed row by row, and each change is checked beside the other rows', async () => {
    const path = (name: string) => `${name}-${engine}`
    const file = [
      'Name,Destination,Custom URL',
      `A,nowhere,${path('one')}`,
      `B,example.com/b,${path('one')}`,
      `C,example.com/c,${path('one')}`,
      ',example.com/d,',
    ].join('\n')
    const { id, problems, lostPaths } = await sendFile(person, file)
    expect([problems, lostPaths]).toEqual([2, 1])
    const change = (row: number, body: object) =>
      person.amend<ChangedImportRow>(`/api/imports/${id}/rows/${row}`, body)
    const counts = ({ import: now }: ChangedImportRow) => [now.problems, now.lostPaths]
    const bad = await change(2, { url: 'ftp://x' })
    expect(bad.row.problems).toEqual([{ field: 'url', message: 'Must be a valid URL' }])
    const good = await change(2, { url: 'example.com/a' })
    expect(good.row).toMatchObject({ url: 'https://example.com/a', problems: [], lostPath: null })
    // It is the first row with its path now.
    expect(counts(good)).toEqual([1, 2])
    expect(counts(await change(2, { vanityUrl: path('two') }))).toEqual([1, 1])
    expect((await change(4, { vanityUrl: path('three') })).row.lostPath).toBeNull()
    expect(counts(await change(5, { name: 'D' }))).toEqual([0, 0])
    for (const [row, body, code] of [
      [9, { name: 'x' }, 'not_found'],
      [2, { tags: ['x'] }, 'invalid_input'],
      [2, { name: 'a\u0000' }, 'invalid_input'],
    ] as const) {
      const url = `/api/imports/${id}/rows/${row}`
      await expectRefusal(person.call(url, { method: 'PATCH', body }), code)
    }
    await publishFile(person, id)
    await tessera.app.importsIdle()
    const made = (await list(person)).map(({ name, vanityUrl }) => `${name} ${vanityUrl}`)
    const [two, one, three] = [path('two'), path('one'), path('three')]
    expect(made).toEqual([`A ${two}`, `B ${one}`, `C ${three}`, 'D null'])
    const late = { method: 'PATCH', body: { name: 'x' } }
    await expectRefusal(person.call(`/api/imports/${id}/rows/2`, late), 'import_not_ready')
  })

  test('with columns of any name is read again by what its owner says of them', async () => {
    const file =
      'Wo,Wohin,Seit,Notiz\nEcke,example.com/e,2020-02-03,x\nHof,example.com/h,2020-02-03,y'
    const read = await sendFile(person, file, { name: 'orte.csv' })
    expect([read.problems, read.columns.every(({ as }) => as === null)]).toEqual([2, true])
    const columns = { columns: ['name', 'url', 'createdAt', null] }
    const url = `/api/imports/${read.id}/columns`
    const again = await person.make<MadeImport>(url, columns)
    expect(again).toMatchObject({ name: 'orte.csv', rows: 2, problems: 0, firstProblems: [] })
    await expectRefusal(person.call(url, { method: 'POST', body: columns }), 'not_found')
    await publishFile(person, again.id)
    await tessera.app.importsIdle()
    const codes = await list(person)
    expect(codes.map(({ name }) => name)).toEqual(['Ecke', 'Hof'])
    // The code keeps its day, and the order of the rows.
    for (const { createdAt } of codes) expect(createdAt.slice(0, 10)).toBe('2020-02-03')
    const table = await sendFile(person, 'Ecke,https://example.com/e')
    expect(table.columns.map(({ name }) => name)).toEqual(['Column 1', 'Column 2'])
    expect(table.rows).toBe(1)
  })

  test('that is too large, of another kind or broken is refused, and nothing of it is left', async () => {
    const answer = async (file: string | Uint8Array, type?: string) => {
      const { status, code } = await refusal(await postFile(person, file, type ? { type } : {}))
      return [status, code]
    }
    const large = await refusal(await postFile(person, new Uint8Array(5 * 1024 * 1024 + 1)))
    expect([large.status, large.code]).toEqual([413, 'body_too_large'])
    expect(large.message).toContain('split it into several files')
    const workbook = new Uint8Array([0x50, 0x4b, 3, 4, 0])
    const [excel] = workbookTypes
    const saved = await refusal(await postFile(person, workbook, { type: excel }))
    expect(saved.code).toBe('import_unreadable')
    expect(saved.message).toContain('CSV UTF-8')
    expect(await answer('a', 'image/png')).toEqual([415, 'unsupported_media_type'])
    expect(await answer('')).toEqual([422, 'import_unreadable'])
    expect(await answer(`Name,Destination\n${'A,https://example.com\n'.repeat(300)}"`)).toEqual([
      ...[422, 'import_unreadable'],
    ])
    expect(await person.ask('/api/imports')).toEqual([])
    const { db } = tessera.database
    expect(await rowsOf(db, 'imports', { workspace_id: person.workspaceId })).toEqual([])
    const rows = db.selectFrom('import_rows').select('n')
    const orphans = rows.where('import_id', 'not in', db.selectFrom('imports').select('id'))
    expect(await orphans.execute()).toEqual([])
  })

  test('replaces the oldest unused one and removes all of its rows', async () => {
    const ids: string[] = []
    for (let n = 0; n <= OPEN_IMPORTS_MAX; n++) {
      tessera.clock.advance(1_000)
      ids.push((await sendFile(person, FILE)).id)
    }
    const kept = tessera.database.db.selectFrom('import_rows').where('import_id', 'in', ids)
    const found = (await kept.selectAll().execute()).map(({ import_id }) => import_id)
    expect(new Set(found)).toEqual(new Set(ids.slice(1)))
  })

  test('becomes codes in the order of its rows, with one look, tags and paths', async () => {
    await person.make('/api/tags', { name: 'food', colour: 'blue' })
    const file = [
      'Destination,Title,Tags,Path',
      'https://example.com/1,One,"Food, 50%_off",one-place',
      'https://example.com/2,Two,,',
      'https://example.com/3,Three,Summer,',
    ].join('\n')
    const look = { style: 'rounded', foregroundColor: '#1e40af' } as const
    const state = await importFile(person, file, { look, tags: ['Printed'] })
    expect(state).toMatchObject({ state: 'published', done: 3, fault: null, lostPaths: 0 })
    const codes = await list(person)
    expect(codes.map(({ name }) => name)).toEqual(['One', 'Two', 'Three'])
    expect(codes.map(({ tags }) => tags)).toEqual([
      ['50%_off', 'food', 'Printed'],
      ['Printed'],
      ['Printed', 'Summer'],
    ])
    for (const code of codes) {
      expect(code).toMatchObject({ ...look, isActive: true, expiresAt: null, version: 1 })
    }
    expect(codes[0]?.vanityUrl).toBe('one-place')
    expect(await leadsTo(tessera, 'one-place')).toBe('https://example.com/1')
    expect(await leadsTo(tessera, codes[2]?.shortCode ?? '')).toBe('https://example.com/3')
    expect(await used(person)).toBe(3)
    const { items } = await person.ask<ImportRows>(`/api/imports/${state.id}/rows`)
    expect(items.map(({ codeId }) => codeId)).toEqual(codes.map(({ id }) => id))
    await expectRefusal(publishFile(person, state.id), 'import_not_ready')
    const events = await rowsOf(tessera.database.db, 'audit_entries', { user_id: person.id })
    expect(events).toMatchObject([{ event: 'code-import-made', actor: 'user' }])
  })

  test('with paths that are taken says so, and goes on without them only if the owner agrees', async () => {
    const [other, person] = await newPair(tessera, 'unlimited')
    await other.code({ vanityUrl: `taken-${engine}` })
    const free = `free-${engine}`
    const file = [
      'name,url,slug',
      `A,https://example.com/a,taken-${engine}`,
      `B,https://example.com/b,${free}`,
      `C,https://example.com/c,${free}`,
      `D,https://example.com/d,later-${engine}`,
    ].join('\n')
    const read = await sendFile(person, file)
    expect([read.problems, read.lostPaths]).toEqual([0, 2])
    expect(read.firstProblems.map(({ row, lostPath }) => [row, lostPath])).toEqual([
      [2, 'This custom URL is already taken. Please choose another one.'],
      [4, 'Row 3 has the same custom URL'],
    ])
    const refused = await expectRefusal(publishFile(person, read.id), 'custom_path_taken')
    expect(refused.message).toContain('2 custom URLs aren’t available')
    // Another one is taken between the preview and the making.
    await other.code({ vanityUrl: `later-${engine}` })
    expect((await publishFile(person, read.id, { otherPaths: true })).status).toBe(202)
    await tessera.app.importsIdle()
    expect(await stateOf(person, read.id)).toMatchObject({ state: 'published', lostPaths: 3 })
    const codes = await list(person)
    expect(codes.map(({ vanityUrl }) => vanityUrl)).toEqual([null, free, null, null])
    expect(await leadsTo(tessera, free)).toBe('https://example.com/b')
  })

  test('makes nothing if a path is taken before it is published, and can be published again', async () => {
    const [other, person] = await newPair(tessera, 'unlimited')
    const { id } = await sendFile(person, `name,url,slug\nA,https://example.com,race-${engine}`)
    await other.code({ vanityUrl: `race-${engine}` })
    expect((await publishFile(person, id)).status).toBe(202)
    await tessera.app.importsIdle()
    expect(await stateOf(person, id)).toMatchObject({
      state: 'checked',
      lostPaths: 1,
      done: 0,
      fault: { code: 'custom_path_taken' },
    })
    expect(await list(person)).toEqual([])
    expect(await used(person)).toBe(0)
    await publishFile(person, id, { otherPaths: true })
    await tessera.app.importsIdle()
    expect(await list(person)).toHaveLength(1)
  })

  test('beyond the plan makes nothing: by its own words, and again if the plan has ended since', async () => {
    const person = await newPerson(tessera)
    const four = await sendFile(person, manyRows(4))
    expect(four.room).toBe(3)
    const refused = await expectRefusal(publishFile(person, four.id), 'plan_limit_reached')
    expect(refused.message).toContain('This file has 4 QR codes')
    const three = await importFile(person, manyRows(3))
    expect(three).toMatchObject({ state: 'published', room: 0 })
    for (const { expiresAt } of await list(person)) expect(expiresAt).not.toBeNull()
    await subscribe(person, 'unlimited')
    const these = tessera.database.db.updateTable('imports').where('id', '=', four.id)
    await these.set({ state: 'publishing', wanted: WANTED }).execute()
    await subscribe(person, 'unlimited', 'canceled')
    await jobsAfter(tessera, 60_000)
    expect(await stateOf(person, four.id)).toMatchObject({
      state: 'checked',
      fault: { code: 'plan_limit_reached' },
    })
    expect(await used(person)).toBe(3)
  })

  test('has custom URLs only on a plan that has them', async () => {
    const person = await newPerson(tessera, 'starter')
    const read = await sendFile(person, `name,url,slug\nA,https://example.com,plan-${engine}`)
    expect(read.lostPaths).toBe(1)
    expect(read.firstProblems[0]?.lostPath).toContain('Professional and Unlimited')
    await subscribe(person, 'professional')
    await publishFile(person, read.id, { otherPaths: true })
    await tessera.app.importsIdle()
    expect((await list(person)).map(({ vanityUrl }) => vanityUrl)).toEqual([`plan-${engine}`])
  })

  test('is published to webhooks code by code, in short steps, each code once', async () => {
    const at = tessera.clock.now().getTime()
    const { db } = tessera.database
    const counters = { secret_no: 1, made_at: at, fails: 0, scans_from: '' }
    const hook = { url: 'http://127.0.0.1:9/', types: 'code.created', ...counters, off_since: null }
    const row = {
      id: randomUUID(),
      workspace_id: person.workspaceId,
      ...hook,
      rest_until: at + 1_000_000,
    }
    await db.insertInto('webhook_endpoints').values(row).execute()
    await importFile(person, manyRows(600))
    const events = await rowsOf(db, 'webhook_events', { workspace_id: person.workspaceId }, 'seq')
    const names = events.map(({ payload }) => JSON.parse(payload).data.name)
    expect(names).toEqual((await list(person)).map(({ name }) => name))
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(['code.created']))
    const made = await rowsOf(db, 'imports', { workspace_id: person.workspaceId })
    expect(made).toMatchObject([{ told: 600 }])
  })

  test('goes with the account, also while it waits to be published', async () => {
    const { db } = tessera.database
    await importFile(person, manyRows(2))
    const { id } = await sendFile(person, manyRows(300))
    await db.updateTable('imports').set({ state: 'publishing' }).where('id', '=', id).execute()
    await purgeCodes(
      { db, forgetScans: async () => {}, onCodeChanged: () => {} },
      person.workspaceId,
    )
    for (const table of ['imports', 'codes'] as const) {
      const left = db.selectFrom(table).select('id').where('workspace_id', '=', person.workspaceId)
      expect(await left.execute()).toEqual([])
    }
    const rows = db.selectFrom('import_rows').select('n').where('import_id', '=', id)
    expect(await rows.execute()).toEqual([])
  })

  test('is forgotten after a day if unused, after a week if used, and its codes stay', async () => {
    const usedOne = await importFile(person, manyRows(2))
    for (const name of ['1.csv', '2.csv', '3.csv', '4.csv']) {
      tessera.clock.advance(1_000)
      await sendFile(person, manyRows(1), { name })
    }
    const names = async () =>
      (await person.ask<ImportEntry[]>('/api/imports')).map(({ name }) => name)
    expect(await names()).toEqual(['4.csv', '3.csv', '2.csv', 'codes.csv'])
    await jobsAfter(tessera, DAY_MS)
    expect(await names()).toEqual(['codes.csv'])
    await jobsAfter(tessera, 7 * DAY_MS)
    const { db } = tessera.database
    const left = db.selectFrom('import_rows').select('n').where('import_id', '=', usedOne.id)
    expect(await left.execute()).toEqual([])
    expect(
      await db
        .selectFrom('codes')
        .select('id')
        .where('workspace_id', '=', person.workspaceId)
        .execute(),
    ).toHaveLength(2)
  })
})

describe.each(oneEngineInCi)('a large file of codes on %s', (engine) => {
  const tessera = runTessera({ engine })

  test('of JSON, as Kutt answers, is read beside the redirects, however large it is', async () => {
    const person = await newPerson(tessera, 'unlimited')
    const link = { address: 'kutt-place', target: 'https://example.com/k', description: 'Place' }
    const file = JSON.stringify({ data: [link] })
    const read = await sendFile(person, file, { type: 'application/json' })
    expect(read).toMatchObject({ format: 'kutt', rows: 1, problems: 0 })
    // In a soak as large as a file may be, which takes a third of the time that it has.
    const size = times(60_000, 2_600_000)
    const hostile = `[${'{},'.repeat((size * 2) / 3)}{}]`
    const nested = '['.repeat(size) + ']'.repeat(size)
    expect(await sendFile(person, nested)).toMatchObject({ rows: 1, problems: 1 })
    for (const [text, why] of [
      [hostile, 'more than 10,000 rows'],
      ['{"data": 1}', 'no links'],
      ['[', 'no links'],
    ] as const) {
      const { code, message } = await refusal(await postFile(person, text))
      expect([code, message]).toEqual(['import_unreadable', expect.stringContaining(why)])
    }
  })

  test('of our own table brings rules, dates and limits along, and says what it cannot', async () => {
    const one = await newPerson(tessera, 'unlimited')
    const other = await newPerson(tessera, 'starter')
    const ios = { url: 'https://example.com/ios', share: 100 }
    const course = {
      startsAt: '2026-12-01T00:00:00.000Z',
      endsAt: '2027-12-01T00:00:00.000Z',
      scanLimit: 500,
      fallbackUrl: 'https://example.com/else',
      fallbackWhenDead: true,
      rules: [{ systems: ['iOS' as const], variants: [ios] }],
    }
    const code = await one.code({ ...course, password: 'sesame' })
    const table = await (await one.call('/api/qr-codes/export.csv')).text()
    await one.remove(code.id)
    await importFile(one, table)
    const [back] = await list(one)
    expect(back).toMatchObject({ ...course, rules: code.rules, hasPassword: false })
    const { id } = await sendFile(other, table)
    const rows = await (await other.call(`/api/imports/${id}/rows`)).text()
    expect(rows).toContain('Its password isn’t in the file')
    expect(rows).toContain('Your plan has no rules')
  })

  test('of ten thousand rows becomes ten thousand codes, beyond the limit of a day, and not one more', async () => {
    const person = await newPerson(tessera, 'unlimited')
    await expectRefusal(postFile(person, manyRows(10_001)), 'import_unreadable')
    const state = await importFile(person, manyRows(10_000, 100), { tags: ['All'] })
    expect(state).toMatchObject({ state: 'published', rows: 10_000, done: 10_000, room: 0 })
    expect(await used(person)).toBe(10_000)
    const codes = await list(person)
    expect(codes).toHaveLength(10_000)
    expect(codes.at(-1)).toMatchObject({ name: 'Table 10000', vanityUrl: 'place-10000' })
    const one = await sendFile(person, manyRows(1))
    const refused = await refusal(await publishFile(person, one.id))
    expect(refused.message).toContain('An account can import up to 10,000 QR codes')
    await person.ask(`/api/imports/${state.id}`, { method: 'DELETE' })
    // Beyond a list the table of all codes is whole, and the list says that it is not.
    await person.code()
    const table = await (await person.call('/api/qr-codes/export.csv')).text()
    expect(table.trimEnd().split('\r\n')).toHaveLength(1 + 10_001)
    const cut = await person.call('/api/qr-codes')
    expect(cut.headers.get('x-total-count')).toBe('10001')
  }, 120_000)
})

describe('a used file', () => {
  const tessera = runTessera({ checks: true })

  test('gives the pictures of its codes as one zip, in the order of its rows', async () => {
    const person = await newPerson(tessera, 'unlimited')
    const file =
      'Name,Destination\nÄpfel,example.com/1\nBirnen,example.com/2\näpfel,example.com/3\n'
    const { id } = await sendFile(person, file, { name: 'Obst.csv' })
    expect((await person.call(`/api/imports/${id}/pictures.zip`)).status).toBe(409)
    await publishFile(person, id)
    await tessera.app.importsIdle()
    const [first] = await list(person)
    const answer = await person.call(`/api/imports/${id}/pictures.zip`)
    expect(answer.headers.get('content-disposition')).toContain('Obst_qr_codes.zip')
    expect(answer.headers.get('x-total-files')).toBe('6')
    const files = unzipSync(new Uint8Array(await answer.arrayBuffer()))
    expect(Object.keys(files)).toEqual([
      ...['Äpfel.png', 'Äpfel.svg', 'Birnen.png', 'Birnen.svg'],
      ...['äpfel (2).png', 'äpfel (2).svg'],
    ])
    expect(first?.name).toBe('Äpfel')
  })
})
