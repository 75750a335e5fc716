import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { AccountSettings } from '../../src/contract/accounts/account-settings.ts'
import type { User } from '../../src/contract/accounts/accounts.ts'
import { oneEngineInCi } from '../support/engines.ts'
import { pngThatSays } from '../support/hostile-pictures.ts'
import { enrolForEach, newPerson, type Person } from '../support/person.ts'
import { expectRefusal, refusal } from '../support/refusal.ts'
import { runTessera } from '../support/tessera.ts'

const RED = { r: 200, g: 30, b: 40 }
const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: RED } })

describe.each(oneEngineInCi)('a person’s picture on %s', (engine) => {
  const tessera = runTessera({ engine })
  const person = enrolForEach(tessera)

  const send = (person: Person, body: Buffer | string, type = 'image/png') =>
    person.send('/api/account/picture', body, type, 'PUT')
  const urlOf = async (person: Person) => {
    const { pictureUrl } = await person.ask<AccountSettings>('/api/account')
    expect((await person.ask<User>('/api/auth/user')).profileImageUrl).toBe(pictureUrl)
    return pictureUrl
  }
  async function pictureOf(person: Person): Promise<Buffer> {
    const response = await person.call((await urlOf(person)) ?? '')
    expect(response.status).toBe(200)
    return Buffer.from(await response.arrayBuffer())
  }

  test.each(['png', 'jpeg', 'webp'] as const)(
    'comes as %s and becomes WebP of 256 pixels',
    async (format) => {
      const file = await plain(640, 400)[format]().toBuffer()
      expect((await send(person, file, `image/${format}`)).status).toBe(204)
      const response = await person.call((await urlOf(person)) ?? '')
      expect(response.headers.get('content-type')).toBe('image/webp')
      expect(response.headers.get('cache-control')).toBe('private, max-age=31536000, immutable')
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      const picture = sharp(Buffer.from(await response.arrayBuffer()))
      expect(await picture.metadata()).toMatchObject({ format: 'webp', width: 256, height: 256 })
      const [red, green, blue] = await picture.raw().toBuffer()
      expect(Math.abs((red ?? 0) - RED.r)).toBeLessThan(6)
      expect(Math.abs((green ?? 0) - RED.g)).toBeLessThan(6)
      expect(Math.abs((blue ?? 0) - RED.b)).toBeLessThan(6)
    },
  )

  test('keeps no metadata of the file, and stands upright', async () => {
    const [left, right] = [
      plain(10, 20),
      sharp({ create: { width: 10, height: 20, channels: 3, background: 'blue' } }),
    ]
    const file = await sharp({
      create: { width: 20, height: 20, channels: 3, background: 'white' },
    })
      .composite([
        { input: await left.png().toBuffer(), left: 0, top: 0 },
        { input: await right.png().toBuffer(), left: 10, top: 0 },
      ])
      .jpeg()
      .withExif({ IFD0: { Artist: 'Ada', Copyright: 'At home, 51.5 N' } })
      // Lying on its side: what is at the left belongs at the top.
      .withMetadata({ orientation: 6 })
      .toBuffer()
    expect((await send(person, file, 'image/jpeg')).status).toBe(204)
    const bytes = await pictureOf(person)
    const { exif, icc, xmp, orientation } = await sharp(bytes).metadata()
    expect({ exif, icc, xmp, orientation }).toEqual({})
    const pixels = await sharp(bytes).raw().toBuffer()
    const channelsAt = (x: number, y: number) => [
      ...pixels.subarray((y * 256 + x) * 3, (y * 256 + x) * 3 + 3),
    ]
    expect(channelsAt(128, 20)[0]).toBeGreaterThan(150)
    expect(channelsAt(128, 235)[2]).toBeGreaterThan(150)
  })

  test('that is a page as well is only a picture afterwards', async () => {
    const script = '<script>alert(document.cookie)</script>'
    const jpeg = await plain(30, 30)
      .withExif({ IFD0: { Artist: script } })
      .jpeg()
      .toBuffer()
    const file = Buffer.concat([jpeg, Buffer.from(`<html>${script}</html>PK\x03\x04`)])
    expect((await send(person, file, 'image/jpeg')).status).toBe(204)
    expect((await pictureOf(person)).toString('latin1')).not.toContain('script')
  })

  test('is as large as 16 megapixels and not larger', async () => {
    const most = await plain(4_000, 4_000).png({ compressionLevel: 1 }).toBuffer()
    expect((await send(person, most)).status).toBe(204)
    const url = await urlOf(person)
    expect(await refusal(await send(person, pngThatSays(4_001, 4_000)))).toEqual({
      status: 422,
      code: 'picture_unreadable',
      message: 'This picture has more than 16 megapixels. Please use a smaller one.',
    })
    expect(await urlOf(person)).toBe(url)
  })

  async function unreadable(): Promise<[string, Buffer | string][]> {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>'
    return [
      ['a header of 50,000 × 50,000 pixels', pngThatSays(50_000, 50_000)],
      ['an SVG', svg],
      ['an SVG behind the beginning of a PNG', `\x89PNG\r\n\x1a\n${svg}`],
      ['a GIF', await plain(20, 20).gif().toBuffer()],
    ]
  }

  test('is refused if it cannot be read, and the one before stays', async () => {
    await send(person, await plain(30, 30).png().toBuffer())
    const url = await urlOf(person)
    for (const [what, file] of await unreadable()) {
      const { status, code } = await refusal(await send(person, file))
      expect([what, status, code]).toEqual([what, 422, 'picture_unreadable'])
    }
    expect(await urlOf(person)).toBe(url)
    await pictureOf(person)
  })

  test('is at most 5 MB and comes as a picture', async () => {
    const large = Buffer.alloc(5 * 1024 * 1024 + 1)
    await expectRefusal(send(person, large), 'body_too_large')
    for (const type of ['image/svg+xml', 'application/json', 'text/html', 'image/gif']) {
      const refused = await refusal(await send(person, '{}', type))
      expect([type, refused.code]).toEqual([type, 'unsupported_media_type'])
    }
    expect(await urlOf(person)).toBeNull()
  })

  test('has another address after each change, and none when it is removed', async () => {
    const [person, other] = [await newPerson(tessera), await newPerson(tessera)]
    const file = await plain(30, 30).png().toBuffer()
    await send(person, file)
    const first = await urlOf(person)
    await send(person, file)
    const second = await urlOf(person)
    expect(second).not.toBe(first)
    for (const path of [first, '/api/account/picture', '/api/account/picture?v=x']) {
      await expectRefusal(person.call(path ?? ''), 'not_found')
    }
    await expectRefusal(other.call(second ?? ''), 'not_found')
    const remove = () => person.delete('/api/account/picture')
    expect([(await remove()).status, (await remove()).status]).toEqual([204, 204])
    expect(await urlOf(person)).toBeNull()
    await expectRefusal(person.call(second ?? ''), 'not_found')
  })
})
