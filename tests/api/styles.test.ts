import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import type { QrCode } from '../../src/contract/codes/codes.ts'
import type { Logo } from '../../src/contract/pictures/artwork.ts'
import { fieldsOf } from '../../src/contract/pictures/pictures.ts'
import { type KeptStyle, STYLES_MAX, type StyleAsked } from '../../src/contract/pictures/styles.ts'
import { PLAIN_ARTWORK } from '../../src/qr/artwork/artwork.ts'
import { DEFAULT_LOOK } from '../../src/qr/symbol/look.ts'
import { oneEngineInCi } from '../support/engines.ts'
import { newPerson, type Person, subscribe } from '../support/person.ts'
import { expectRefusal, refusal } from '../support/refusal.ts'
import { rowsOf } from '../support/rows.ts'
import { runTessera } from '../support/tessera.ts'

const OCEAN: KeptStyle['look'] = {
  ...fieldsOf(DEFAULT_LOOK),
  style: 'rounded',
  foregroundColor: '#1e40af',
  backgroundColor: '#f0f9ff',
  ecc: 'Q',
}
const DOTS: KeptStyle['look'] = { ...OCEAN, artwork: { ...PLAIN_ARTWORK, modules: 'dots' } }

const keep = (person: Person, name: string, more: Partial<StyleAsked> = {}) =>
  person.make<KeptStyle>('/api/looks', { name, look: OCEAN, ...more })
const list = (person: Person) => person.ask<KeptStyle[]>('/api/looks')
const change = (person: Person, { id }: KeptStyle, body: object) =>
  person.call(`/api/looks/${id}`, { method: 'PATCH', body })
const apply = (person: Person, { id }: Pick<KeptStyle, 'id'>, codes: readonly { id: string }[]) =>
  person.post(`/api/looks/${id}/apply`, { ids: codes.map((code) => code.id) })
const read = (person: Person, { id }: { id: string }) => person.ask<QrCode>(`/api/qr-codes/${id}`)

describe.each(oneEngineInCi)('styles of an account on %s', (engine) => {
  const tessera = runTessera({ engine })

  it('are kept under names, changed and deleted', async () => {
    const owner = await newPerson(tessera)
    const brand = await keep(owner, 'Brand')
    expect(brand).toMatchObject({ name: 'Brand', look: OCEAN, isDefault: false })
    const menus = await keep(owner, 'Menus')
    expect(await list(owner)).toEqual([brand, menus])
    const answer = await change(owner, brand, { name: 'House', look: { ...OCEAN, ecc: 'H' } })
    expect(await answer.json()).toMatchObject({ name: 'House', look: { ecc: 'H' } })
    expect((await owner.delete(`/api/looks/${menus.id}`)).status).toBe(204)
    expect((await list(owner)).map(({ name }) => name)).toEqual(['House'])
  })

  it('have names that differ in more than capitals and composition', async () => {
    const owner = await newPerson(tessera)
    const brand = await keep(owner, 'Café')
    const other = await keep(owner, 'Menus')
    const body = { name: 'CAFE\u0301', look: OCEAN }
    const refused = await expectRefusal(owner.post('/api/looks', body), 'look_name_taken')
    expect(await refusal(await change(owner, other, { name: 'café' }))).toMatchObject(refused)
    expect((await change(owner, brand, { name: 'CAFÉ' })).status).toBe(200)
    const stranger = await newPerson(tessera)
    expect((await keep(stranger, 'Café')).name).toBe('Café')
  })

  it(`are ${STYLES_MAX} at most`, async () => {
    const owner = await newPerson(tessera)
    const makings = Array.from({ length: STYLES_MAX + 3 }, (_, index) =>
      owner.post('/api/looks', { name: `Style ${index}`, look: OCEAN }),
    )
    const statuses = (await Promise.all(makings)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(STYLES_MAX)
    expect(statuses.filter((status) => status === 409)).toHaveLength(3)
    expect(await list(owner)).toHaveLength(STYLES_MAX)
  })

  it('can be the default look of new codes, one at a time', async () => {
    const owner = await newPerson(tessera, 'professional')
    expect((await owner.draft()).style).toBe('classic')
    const first = await keep(owner, 'First', { isDefault: true })
    expect(await owner.draft()).toMatchObject(OCEAN)
    expect(await owner.code()).toMatchObject(OCEAN)
    const gold = { ...OCEAN, foregroundColor: '#d97706' }
    const second = await keep(owner, 'Second', { look: gold, isDefault: true })
    expect((await list(owner)).map(({ isDefault }) => isDefault)).toEqual([false, true])
    expect(await owner.draft()).toMatchObject(gold)
    const row = { name: 'Table 1', url: 'https://example.com/1' }
    const series = (body: object) =>
      owner.make<QrCode[]>('/api/qr-codes/bulk', { rows: [row], ...body })
    expect(await series({})).toMatchObject([gold])
    expect(await series({ look: {} })).toMatchObject([fieldsOf(DEFAULT_LOOK)])
    await change(owner, first, { isDefault: true })
    expect(await owner.draft()).toMatchObject(OCEAN)
    await change(owner, second, { isDefault: false })
    expect(await owner.draft()).toMatchObject(OCEAN)
    await owner.delete(`/api/looks/${first.id}`)
    expect(await owner.draft()).toMatchObject(fieldsOf(DEFAULT_LOOK))
  })

  it('have shapes, a logo and a frame on a paid plan only; a plan that ends leaves new codes without them', async () => {
    const free = await newPerson(tessera)
    const body = { name: 'Dots', look: DOTS }
    await expectRefusal(free.call('/api/looks', { method: 'POST', body }), 'artwork_not_in_plan')

    const owner = await newPerson(tessera, 'starter')
    const dots = await keep(owner, 'Dots', { look: DOTS, isDefault: true })
    expect(await owner.draft()).toMatchObject(DOTS)
    const [dotted, plain] = [await owner.code(), await owner.code(OCEAN)]
    await owner.change(plain.id, { artwork: null })
    await subscribe(owner, 'starter', 'canceled')
    expect(await owner.draft()).toMatchObject({ ...OCEAN, artwork: null })
    expect((await change(owner, dots, { name: 'Old', look: DOTS })).status).toBe(200)
    await expectRefusal(apply(owner, dots, [dotted, plain]), 'artwork_not_in_plan')
    expect((await read(owner, plain)).artwork).toBeNull()
  })

  it('are given to many codes at once, which get a new version, an entry and no old verdict', async () => {
    const owner = await newPerson(tessera, 'starter')
    const { db } = tessera.database
    const codes = [
      await owner.code(),
      await owner.code(OCEAN),
      await owner.code({ style: 'rounded' }),
    ]
    const own = db.updateTable('codes').where('workspace_id', '=', owner.workspaceId)
    await own.set({ legibility: 'good', legibility_of: 'x.y' }).execute()
    const brand = await keep(owner, 'Brand')
    const answer = await apply(owner, brand, [...codes, ...codes.slice(0, 1)])
    expect(await answer.json()).toEqual({ changed: 2 })
    const after = await Promise.all(codes.map((code) => read(owner, code)))
    for (const code of after) expect(code).toMatchObject(OCEAN)
    const versions = (rows: QrCode[]) => rows.map(({ version }) => version)
    const [before, now] = [versions(codes), versions(after)]
    expect(now).toEqual(before.map((version, index) => version + (index === 1 ? 0 : 1)))
    const unchecked = db.selectFrom('codes').select('id').where('legibility_of', '=', 'x.y')
    expect(await unchecked.execute()).toEqual([{ id: codes[1]?.id }])
    const edit = { user_id: owner.id, event: 'code-changed' } as const
    const entries = await rowsOf(db, 'audit_entries', edit)
    const changed = entries.map(({ subject }) => subject)
    expect(changed.sort()).toEqual([codes[0]?.id, codes[2]?.id].sort())
  })

  it('change no code if one of them is another account’s or in the bin, or if there are too many', async () => {
    const owner = await newPerson(tessera, 'starter')
    const stranger = await newPerson(tessera)
    const [mine, theirs] = [await owner.code(), await stranger.code()]
    const binned = await owner.code()
    await owner.remove(binned.id)
    const brand = await keep(owner, 'Brand')
    for (const other of [theirs, binned]) {
      await expectRefusal(apply(owner, brand, [mine, other]), 'code_not_found')
    }
    const many = Array.from({ length: 1_001 }, () => mine)
    expect((await apply(owner, brand, many)).status).toBe(422)
    expect((await apply(stranger, brand, [theirs])).status).toBe(404)
    expect(await read(owner, mine)).toEqual(mine)
    expect(await read(stranger, theirs)).toEqual(theirs)
  })

  it('keep their logo from being removed', async () => {
    const owner = await newPerson(tessera, 'starter')
    const file = await sharp({
      create: { width: 20, height: 20, channels: 4, background: '#ff0000' },
    })
      .png()
      .toBuffer()
    const sent = await owner.send('/api/logos', file, 'image/png')
    const { id } = (await sent.json()) as Logo
    const logo = { id, size: 7, plate: 'square', margin: 0.5 } as const
    const look = { ...OCEAN, artwork: { ...PLAIN_ARTWORK, logo } }
    const brand = await keep(owner, 'Brand', { look })
    const refused = await expectRefusal(owner.delete(`/api/logos/${id}`), 'logo_in_use')
    expect(refused.message).toContain('Your design “Brand” uses this logo')
    const other = await newPerson(tessera, 'starter')
    const foreign = { method: 'POST', body: { name: 'Stolen', look } }
    expect((await other.call('/api/looks', foreign)).status).toBe(422)
    await owner.delete(`/api/looks/${brand.id}`)
    expect((await owner.delete(`/api/logos/${id}`)).status).toBe(204)
  })
})
