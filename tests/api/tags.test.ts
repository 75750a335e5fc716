import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { CODE_TAGS_MAX, TAGS_MAX } from '../../src/contract/codes/code-values.ts'
import type { QrCode } from '../../src/contract/codes/codes.ts'
import type { Tag } from '../../src/contract/codes/tags.ts'
import type { Db } from '../../src/server/database/schema.ts'
import { engines } from '../support/engines.ts'
import { enrolForEach, eventsOf, newPerson, type Person } from '../support/person.ts'
import { expectRefusal, refusal } from '../support/refusal.ts'
import { runTessera } from '../support/tessera.ts'

const make = (person: Person, name: string, more: object = {}) =>
  person.make<Tag>('/api/tags', { name, ...more })
const list = (person: Person) => person.ask<Tag[]>('/api/tags')
const change = (person: Person, { id }: Tag, body: object) =>
  person.call(`/api/tags/${id}`, { method: 'PATCH', body })
const tagCodes = (person: Person, { id }: Pick<Tag, 'id'>, body: object) =>
  person.post(`/api/tags/${id}/codes`, body)
const read = (person: Person, { id }: { id: string }) => person.ask<QrCode>(`/api/qr-codes/${id}`)
const codesWith = async (person: Person, tag: string) =>
  (await person.ask<QrCode[]>(`/api/qr-codes?tag=${encodeURIComponent(tag)}`)).map(({ id }) => id)
const namesOf = (tags: readonly Tag[]) => tags.map(({ name }) => name)

/** Copies of a code, with its tags, that are in the bin. */
async function copyToBin(db: Db, id: string, copies: number) {
  const columns = sql`workspace_id, name, url, style, foreground_color, background_color, ecc, compact, created_at, saved_at, version`
  await sql`
    insert into codes (id, short_code, deleted_at, ${columns})
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(copies)})
    select 'copy ' || n, 'copy ' || n, 1, ${columns} from codes, numbers where id = ${id}`.execute(
    db,
  )
  await sql`
    insert into code_tags (code_id, tag_id)
    select codes.id, tag_id from codes, code_tags where codes.id like 'copy %' and code_id = ${id}`.execute(
    db,
  )
}

describe.each(engines)('tags on %s', (engine) => {
  const tessera = runTessera({ engine })
  const owner = enrolForEach(tessera)

  it('are made, renamed, coloured and deleted, also on the free plan', async () => {
    const spring = await make(owner, 'Spring')
    expect(spring).toMatchObject({ name: 'Spring', colour: 'green', codes: 0 })
    const bar = await make(owner, 'Bar', { colour: 'pink' })
    expect(await list(owner)).toEqual([bar, spring])
    const answer = await change(owner, spring, { name: 'Spring 2027', colour: 'blue' })
    expect(await answer.json()).toEqual({ ...spring, name: 'Spring 2027', colour: 'blue' })
    expect((await owner.delete(`/api/tags/${bar.id}`)).status).toBe(204)
    expect(namesOf(await list(owner))).toEqual(['Spring 2027'])
  })

  it('are renamed and deleted with more codes, most of them in the bin, than a statement has parameters', async () => {
    const big = await make(owner, 'Big')
    const code = await owner.code({ tags: ['Big'] })
    await copyToBin(tessera.database.db, code.id, 70_000)
    expect((await change(owner, big, { name: 'Bigger' })).status).toBe(200)
    expect(await read(owner, code)).toMatchObject({ tags: ['Bigger'], version: code.version + 1 })
    expect((await owner.delete(`/api/tags/${big.id}`)).status).toBe(204)
    expect(await read(owner, code)).toMatchObject({ tags: [], version: code.version + 2 })
  })

  it('have names that differ in more than capitals, without commas', async () => {
    const spring = await make(owner, 'Frühling')
    const other = await make(owner, 'Bar')
    const refused = await expectRefusal(
      owner.post('/api/tags', { name: 'FRÜHLING' }),
      'tag_name_taken',
    )
    expect(await refusal(await change(owner, other, { name: 'frühling' }))).toMatchObject(refused)
    expect((await change(owner, spring, { name: 'FRÜHLING' })).status).toBe(200)
    for (const name of ['', 'a,b', 'x'.repeat(41)]) {
      expect((await owner.post('/api/tags', { name })).status).toBe(422)
    }
    expect((await make(await newPerson(tessera), 'Bar')).name).toBe('Bar')
  })

  it(`are ${TAGS_MAX} at most, however they are made`, async () => {
    const code = await owner.code()
    const rows = Array.from({ length: TAGS_MAX - 1 }, (_, index) => ({
      id: `${owner.id} ${index}`,
      workspace_id: owner.workspaceId,
      colour: 'green',
      made_at: 1,
      name: `Tag ${index}`,
      folded: `tag ${index}`,
    }))
    await tessera.database.db.insertInto('tags').values(rows).execute()
    const full = { status: 409, code: 'tags_full' }
    const refused = await owner.patch(code.id, { tags: ['Spring', 'Bar'] })
    expect(await refusal(refused)).toMatchObject(full)
    expect((await read(owner, code)).tags).toEqual([])
    const makings = ['Spring', 'Bar', 'Hall'].map((name) =>
      owner.call('/api/tags', { method: 'POST', body: { name } }),
    )
    const statuses = (await Promise.all(makings)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([201, 409, 409])
  })

  it('are given to a code by their names; one that is missing is made', async () => {
    await make(owner, 'Spring')
    const code = await owner.code({ tags: ['spring', 'Bar', 'BAR'] })
    expect(code.tags).toEqual(['Bar', 'Spring'])
    const [bar, spring] = await list(owner)
    expect([bar, spring]).toMatchObject([{ codes: 1, colour: 'orange' }, { codes: 1 }])

    const same = await owner.change(code.id, { tags: ['Spring', 'bar'] })
    expect(same.version).toBe(code.version)
    const fewer = await owner.change(code.id, { tags: ['Spring'], name: 'Menu 2' })
    expect(fewer).toMatchObject({ tags: ['Spring'], version: code.version + 1 })
    expect(await owner.change(code.id, { name: 'Menu 3' })).toMatchObject({ tags: ['Spring'] })
    const many = Array.from({ length: CODE_TAGS_MAX + 1 }, (_, index) => `Tag ${index}`)
    expect((await owner.patch(code.id, { tags: many })).status).toBe(422)
  })

  it('that change are a change of their codes, which an older form does not write over', async () => {
    const code = await owner.code({ tags: ['Spring'] })
    const [spring] = (await list(owner)) as [Tag]
    await change(owner, spring, { colour: 'red' })
    expect((await read(owner, code)).version).toBe(code.version)
    await change(owner, spring, { name: 'Summer' })
    const headers = { 'if-match': `"${code.version}"` }
    const stale = await owner.patch(code.id, { tags: ['Spring', 'Bar'] }, headers)
    expect(stale.status).toBe(412)
    expect((await read(owner, code)).tags).toEqual(['Summer'])
    await owner.delete(`/api/tags/${spring.id}`)
    expect(await read(owner, code)).toMatchObject({ tags: [], version: code.version + 2 })
  })

  it('filter the list, in whichever case and in each order', async () => {
    const owner = await newPerson(tessera, 'professional')
    const menu = await owner.code({ name: 'Menu', tags: ['Spring'] })
    const poster = await owner.code({ name: 'Poster', tags: ['Spring', 'Bar'] })
    await owner.code({ name: 'Flyer' })
    const stranger = await newPerson(tessera)
    await stranger.code({ tags: ['Spring', 'Hall'] })
    expect((await codesWith(owner, 'SPRING')).toSorted()).toEqual([menu.id, poster.id].toSorted())
    expect(await codesWith(owner, 'bar')).toEqual([poster.id])
    expect(await codesWith(owner, 'Hall')).toEqual([])
    const sorted = await owner.call('/api/qr-codes?tag=spring&sort=-scans&page=1&q=post')
    expect(sorted.headers.get('x-total-count')).toBe('1')
    expect(await sorted.json()).toMatchObject([{ id: poster.id, tags: ['Bar', 'Spring'] }])
  })

  it('are given to many codes at once and taken from others, all or none', async () => {
    const owner = await newPerson(tessera, 'professional')
    const spring = await make(owner, 'Spring')
    const [one, two] = [await owner.code(), await owner.code({ tags: ['Spring'] })]
    const three = await owner.code({ tags: ['Spring', 'Bar'] })
    const answer = await tagCodes(owner, spring, { add: [one.id, two.id], remove: [three.id] })
    expect(await answer.json()).toEqual({ changed: 2 })
    const after = await Promise.all([one, two, three].map((code) => read(owner, code)))
    expect(after.map(({ tags }) => tags)).toEqual([['Spring'], ['Spring'], ['Bar']])
    const versions = [one.version + 1, two.version, three.version + 1]
    expect(after.map(({ version }) => version)).toEqual(versions)
    const events = await eventsOf(tessera, owner.id)
    expect(events.filter((event) => event === 'code-changed')).toHaveLength(2)

    const foreign = await (await newPerson(tessera)).code()
    await expectRefusal(tagCodes(owner, spring, { add: [three.id, foreign.id] }), 'code_not_found')
    const many = Array.from({ length: CODE_TAGS_MAX }, (_, index) => `Tag ${index}`)
    await owner.change(one.id, { tags: many })
    await expectRefusal(tagCodes(owner, spring, { add: [three.id, one.id] }), 'code_tags_full')
    expect((await read(owner, three)).tags).toEqual(['Bar'])
  })

  it('are those of a whole series', async () => {
    const owner = await newPerson(tessera, 'professional')
    await make(owner, 'Spring')
    const rows = ['Table 1', 'Table 2'].map((name) => ({ name, url: 'https://example.com/' }))
    const body = { rows, tags: ['SPRING', 'Tables', 'tables'] }
    const codes = await owner.make<QrCode[]>('/api/qr-codes/bulk', body)
    expect(codes.map(({ tags }) => tags)).toEqual([
      ['Spring', 'Tables'],
      ['Spring', 'Tables'],
    ])
    expect((await list(owner)).map((tag) => tag.codes)).toEqual([2, 2])
  })

  it('stay with a code in the bin and come back with it', async () => {
    const code = await owner.code({ tags: ['Spring'] })
    await owner.remove(code.id)
    expect(await list(owner)).toMatchObject([{ name: 'Spring', codes: 0 }])
    expect(await owner.ask('/api/qr-codes/bin')).toMatchObject([{ tags: ['Spring'] }])
    const path = `/api/qr-codes/${code.id}/restore`
    expect(await owner.make(path)).toMatchObject({ tags: ['Spring'] })
    expect(await list(owner)).toMatchObject([{ codes: 1 }])
  })
})
