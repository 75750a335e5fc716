import { unzipSync } from 'fflate'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { LOGOS_MAX, type Logo } from '#contract/pictures/artwork.ts'
import { PLAIN_ARTWORK } from '#qr/artwork/artwork.ts'
import type { CodeChange, QrCode } from '../../src/contract/codes/codes.ts'
import type { Tables } from '../../src/server/database/schema.ts'
import { loadDecoders } from '../../src/server/pictures/checks.ts'
import { oneEngineInCi } from '../support/engines.ts'
import { enrolPerson, newPerson, type Person, subscribe } from '../support/person.ts'
import { expectRefusal } from '../support/refusal.ts'
import { rowsOf } from '../support/rows.ts'
import { runTessera } from '../support/tessera.ts'

const disc = (colour: string, edge = 300) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${edge}" height="${edge}" viewBox="0 0 10 10"><circle cx="5" cy="5" r="5" fill="${colour}"/></svg>`

const png = (background: string) =>
  sharp({ create: { width: 40, height: 20, channels: 4, background } })
    .png()
    .toBuffer()

describe.each(oneEngineInCi)('logos on %s', (engine) => {
  const tessera = runTessera({ engine, checks: true })
  const owner = enrolPerson(tessera, 'starter')

  const send = (person: Person, bytes: Uint8Array | string, type: string, name = '') =>
    person.send(`/api/logos?name=${encodeURIComponent(name)}`, bytes, type)
  const upload = async (person: Person, bytes: Uint8Array | string, type = 'image/svg+xml') => {
    const answer = await send(person, bytes, type)
    if (!answer.ok) throw new Error(await answer.text())
    return (await answer.json()) as Logo
  }
  const withLogo = ({ id }: Logo, size = 7): CodeChange => ({
    ecc: 'H',
    artwork: { ...PLAIN_ARTWORK, logo: { id, size, plate: 'round', margin: 0.5 } },
  })
  const pictureOf = async (person: Person, code: QrCode, query = '') => {
    const answer = await person.call(`/api/qr-codes/${code.id}/generate${query}`)
    expect(answer.status).toBe(200)
    return new Uint8Array(await answer.arrayBuffer())
  }

  it('are drawn again from PNG, JPG, SVG and WebP, kept once, and shown as PNG', async () => {
    const file = await png('#ff0000')
    const answer = await send(owner, file, 'image/png', 'Our logo.png')
    expect(answer.status).toBe(201)
    const logo = (await answer.json()) as Logo
    expect(logo).toMatchObject({ name: 'Our logo.png', width: 40, height: 20 })
    expect(logo.reach).toBeCloseTo(Math.hypot(20, 10) / 20, 5)
    const webp = await sharp(file).webp({ lossless: true }).toBuffer()
    const again = await send(owner, webp, 'image/webp')
    expect(again.status).toBe(200)
    expect(await again.json()).toMatchObject({ id: logo.id })
    const jpg = await upload(owner, await sharp(file).jpeg().toBuffer(), 'image/jpeg')
    const svg = await upload(owner, disc('#00aa00'))
    const list = await owner.ask<Logo[]>('/api/logos')
    expect(new Set(list.map(({ id }) => id))).toEqual(new Set([logo.id, jpg.id, svg.id]))
    const shown = await owner.call(`/api/logos/${svg.id}`)
    expect(shown.headers.get('content-type')).toBe('image/png')
    const { width, height } = await sharp(await shown.arrayBuffer()).metadata()
    expect([width, height]).toEqual([512, 512])
  })

  it('stand in every picture of their code, which is read as its link', async () => {
    const logo = await upload(owner, disc('#aa0000'))
    const code = await owner.code(withLogo(logo))
    const { zxing } = await loadDecoders()
    const link = `${tessera.config.publicUrl}/qr/${code.shortCode}`
    const picture = await pictureOf(owner, code, '?size=400')
    expect(await zxing(picture, { tryInvert: false })).toBe(link)
    const jpg = await pictureOf(owner, code, '?format=jpg&size=400')
    expect(await zxing(jpg, { tryInvert: false })).toBe(link)
    const textOf = async (format: string) =>
      Buffer.from(await pictureOf(owner, code, `?format=${format}`)).toString('latin1')
    expect(await textOf('svg')).toContain('<image ')
    expect(await textOf('pdf')).toContain('/SMask')
    const zip = await owner.call(`/api/qr-codes/${code.id}/download-zip`)
    const chosen = await owner.post('/api/qr-codes/pictures', { ids: [code.id] })
    for (const answer of [zip, chosen]) {
      const files = Object.entries(unzipSync(new Uint8Array(await answer.arrayBuffer())))
      const [, svg] = files.find(([name]) => name.endsWith('.svg')) ?? []
      expect(Buffer.from(svg ?? []).toString()).toContain('<image ')
    }
    const { verdict } = await owner.ask<{ verdict: string }>(`/api/qr-codes/${code.id}/legibility`)
    expect(['excellent', 'good']).toContain(verdict)
  })

  it('stay while a code has them, and can be removed after', async () => {
    const logo = await upload(owner, disc('#0000aa'))
    const code = await owner.code({ name: 'Poster', ...withLogo(logo) })
    const refused = await expectRefusal(owner.delete(`/api/logos/${logo.id}`), 'logo_in_use')
    expect(refused.message).toContain('“Poster” has this logo')
    await owner.change(code.id, { artwork: null })
    expect((await owner.delete(`/api/logos/${logo.id}`)).status).toBe(204)
    expect((await owner.call(`/api/logos/${logo.id}`)).status).toBe(404)
  })

  it('belong to one account', async () => {
    const logo = await upload(owner, disc('#123456'))
    const other = await newPerson(tessera, 'starter')
    expect((await other.call(`/api/logos/${logo.id}`)).status).toBe(404)
    expect(await other.ask('/api/logos')).toEqual([])
    const { id } = await other.code()
    const answer = await other.patch(id, withLogo(logo))
    await expectRefusal(answer, 'invalid_input')
  })

  it('and shapes are for paid plans; an account whose plan has ended keeps them', async () => {
    const free = await newPerson(tessera)
    await expectRefusal(send(free, disc('#111111'), 'image/svg+xml'), 'artwork_not_in_plan')
    const { id } = await free.code()
    const dots = { artwork: { ...PLAIN_ARTWORK, modules: 'dots' as const } }
    await expectRefusal(free.patch(id, dots), 'artwork_not_in_plan')
    const lapsed = await newPerson(tessera, 'starter')
    const code = await lapsed.code(dots)
    await subscribe(lapsed, 'starter', 'canceled')
    const kept = await lapsed.change(code.id, { name: 'Renamed', ...dots })
    expect(kept).toMatchObject({ name: 'Renamed', artwork: dots.artwork })
    expect(await lapsed.change(code.id, { artwork: null })).toMatchObject({ artwork: null })
  })

  it('are limited in number', async () => {
    const person = await newPerson(tessera, 'starter')
    const { id } = await upload(person, disc('#100000', 4))
    const { db } = tessera.database
    const [row] = (await rowsOf(db, 'logos', { workspace_id: person.workspaceId })) as [
      Tables['logos'],
    ]
    const others = Array.from({ length: LOGOS_MAX - 1 }, (_, made) => ({
      ...row,
      id: `${id.slice(0, -2)}${10 + made}`,
    }))
    await db.insertInto('logos').values(others).execute()
    await expectRefusal(send(person, disc('#ffffff', 4), 'image/svg+xml'), 'logos_full')
  })

  it('are refused by their size before they are decoded', async () => {
    const heavy = await send(owner, new Uint8Array(2 * 1024 * 1024 + 1), 'image/png')
    expect(heavy.status).toBe(413)
  })
})
