import { unzipSync } from 'fflate'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { codeArtwork } from '#contract/pictures/artwork.ts'
import { imageFormats } from '#contract/pictures/pictures.ts'
import type { FrameChoice } from '#qr/artwork/artwork.ts'
import type { QrCode } from '../../src/contract/codes/codes.ts'
import { BEHIND_PROXY } from '../support/crowd.ts'
import { decodePicture } from '../support/decode.ts'
import { oneEngine } from '../support/engines.ts'
import { epsPicture } from '../support/eps-picture.ts'
import { madeIn } from '../support/for-block.ts'
import { pdfPage } from '../support/pdf-page.ts'
import { enrolPerson } from '../support/person.ts'
import { asPng } from '../support/pixels.ts'
import { expectRefusal } from '../support/refusal.ts'
import { runTessera } from '../support/tessera.ts'

const types = { png: 'image/png', svg: 'image/svg+xml', jpg: 'image/jpeg' } as const
const formats = imageFormats

async function textOf(format: (typeof formats)[number], bytes: Uint8Array): Promise<string | null> {
  if (format !== 'svg') return decodePicture(bytes)
  return decodePicture(await sharp(bytes).png().toBuffer())
}

const frame: FrameChoice = {
  shape: 'below',
  text: 'Scan me',
  size: 'medium',
  color: '#166534',
  textColor: '#ffffff',
}

const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer())

describe.each(oneEngine)('pictures on %s', (engine) => {
  const tessera = runTessera({ engine, environment: BEHIND_PROXY })
  const owner = enrolPerson(tessera, 'unlimited')
  const code = madeIn(beforeAll, () => owner.code({ name: 'Menu' }))

  const picture = (query = '', { id } = code, headers: Record<string, string> = {}) =>
    owner.call(`/api/qr-codes/${id}/generate${query}`, { headers })
  const link = ({ vanityUrl, shortCode }: QrCode) =>
    `${tessera.origin}/qr/${vanityUrl ?? shortCode}`
  const edge = async (bytes: Uint8Array) => (await sharp(bytes).metadata()).width
  /** The colours of the first pixel and of the middle of the first finder pattern. */
  async function colours(bytes: Uint8Array) {
    const { data, info } = await sharp(bytes)
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    const seen = new Set<string>()
    for (let at = 0; at < data.length; at += info.channels) {
      seen.add(`#${data.subarray(at, at + 3).toString('hex')}`)
    }
    return seen
  }

  test.each(formats)('a %s says the code’s link', async (format) => {
    const response = await picture(`?format=${format}`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(types[format])
    expect(response.headers.get('cache-control')).toBe('private, no-cache')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await textOf(format, await bytesOf(response))).toBe(link(code))
  })

  test('it is a PNG of 1024 pixels in the saved look unless the query says otherwise', async () => {
    const look = { foregroundColor: '#1e40af', backgroundColor: '#f0f9ff' }
    const blue = await owner.code({ style: 'rounded', ...look })
    const saved = await bytesOf(await picture('', blue))
    expect(await edge(saved)).toBe(1024)
    const seen = await colours(saved)
    expect(seen).toContain('#1e40af')
    expect(seen).toContain('#f0f9ff')
    const asked = await bytesOf(await picture('?style=classic&fg=%23166534&bg=fff&size=300', blue))
    expect(await edge(asked)).toBe(300)
    expect(await colours(asked)).toEqual(new Set(['#166534', '#ffffff']))
    expect(await textOf('png', asked)).toBe(link(blue))
    expect(await owner.ask(`/api/qr-codes/${blue.id}`)).toEqual(blue)
  })

  test('a picture that has not changed is not sent again', async () => {
    const first = await picture('?t=1')
    await first.arrayBuffer()
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]+"$/)
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await picture('?t=2', code, { 'if-none-match': known })
      expect([known, again.status, await again.text()]).toEqual([known, 304, ''])
      expect(again.headers.get('etag')).toBe(etag)
    }
    for (const unknown of ['"other"', 'W/"other"', etag.slice(1, -1), '']) {
      const sent = await picture('', code, { 'if-none-match': unknown })
      expect([sent.status, await decodePicture(await bytesOf(sent))]).toEqual([200, link(code)])
    }
  })

  test('the tag changes with everything that decides the bytes', async () => {
    const own = await owner.code()
    const tagOf = async (query = '') => {
      const response = await picture(query, own)
      await response.arrayBuffer()
      return response.headers.get('etag')
    }
    const queries = [
      '',
      '?format=svg',
      '?format=jpg',
      '?style=rounded',
      '?fg=111111',
      '?bg=eeeeee',
      '?size=512',
      '?ecc=H',
      '?compact=true',
      '?mm=30',
      '?format=pdf',
      '?format=pdf&mm=30',
    ]
    const tags = await Promise.all(queries.map(tagOf))
    expect(new Set(tags).size).toBe(queries.length)
    expect(await tagOf('?fg=%23000&bg=%23FFF&style=classic&size=1024&t=9')).toBe(tags[0])
    expect(await tagOf('?ecc=M&compact=false')).toBe(tags[0])
    expect(await tagOf('?format=pdf&mm=50')).toBe(await tagOf('?format=pdf'))
    const later: (string | null)[] = []
    const changes = [
      { foregroundColor: '#222222' },
      { backgroundColor: '#dddddd' },
      { style: 'rounded' },
      { ecc: 'Q' },
      { compact: true },
      { vanityUrl: `tagged-${engine}` },
    ] as const
    for (const change of changes) {
      await owner.change(own.id, change)
      later.push(await tagOf())
    }
    expect(new Set([...tags, ...later]).size).toBe(queries.length + changes.length)
    const before = await tagOf()
    await owner.change(own.id, { name: 'Renamed', url: 'https://example.com/elsewhere' })
    expect(await tagOf()).toBe(before)
  })

  test('an address with the right version can be kept for ever', async () => {
    const own = await owner.code({ foregroundColor: '#1e40af' })
    const cachingOf = async (query: string) => {
      const response = await picture(query, own)
      expect(response.status).toBe(200)
      expect(response.headers.get('etag')).toMatch(/^"[\w-]+"$/)
      const text = await textOf('png', await bytesOf(response))
      return [response.headers.get('cache-control'), text]
    }
    const forEver = ['private, max-age=31536000, immutable', link(own)]
    const askAgain = ['private, no-cache', link(own)]
    const v = own.pictureVersion
    expect(await cachingOf(`?v=${v}`)).toEqual(forEver)
    const { headers } = await picture(`?v=${v}`, own)
    const known = { 'if-none-match': headers.get('etag') ?? '' }
    const again = await picture(`?v=${v}`, own, known)
    expect([again.status, again.headers.get('cache-control')]).toEqual([304, forEver[0]])
    expect(await cachingOf(`?v=${v}&size=300&format=jpg&mm=20&t=1`)).toEqual(forEver)
    expect(await cachingOf(`?v=${v}&fg=%231E40AF&style=classic&ecc=M`)).toEqual(forEver)
    for (const query of ['', '?v=', '?v=other', `?v=${v}x`, `?v=${v?.toUpperCase()}`]) {
      expect([query, ...(await cachingOf(query))]).toEqual([query, ...askAgain])
    }
    for (const look of ['style=rounded', 'fg=166534', 'bg=eee', 'ecc=H']) {
      expect([look, ...(await cachingOf(`?v=${v}&${look}`))]).toEqual([look, ...askAgain])
    }
    const { pictureVersion } = await owner.change(own.id, { vanityUrl: `kept-${engine}` })
    const renamed = `${tessera.origin}/qr/kept-${engine}`
    expect(pictureVersion).not.toBe(v)
    expect(await cachingOf(`?v=${v}`)).toEqual(['private, no-cache', renamed])
    expect(await cachingOf(`?v=${pictureVersion}`)).toEqual([forEver[0], renamed])
  })

  test.each([...formats, 'pdf'])('HEAD of a %s has all headers of GET', async (format) => {
    const path = `/api/qr-codes/${code.id}/generate?format=${format}`
    const [got, head] = [await owner.call(path), await owner.call(path, { method: 'HEAD' })]
    const { length } = await bytesOf(got)
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect(head.headers.get('content-length')).toBe(String(length))
    for (const name of ['etag', 'content-type', 'cache-control']) {
      expect(head.headers.get(name)).toBe(got.headers.get(name))
    }
  })

  test('a PDF is as large as the print that was asked for', async () => {
    for (const [query, points] of [
      ['', '141.73228'],
      ['&mm=25.4', '72'],
    ]) {
      const response = await picture(`?format=pdf${query}`)
      expect(response.headers.get('content-type')).toBe('application/pdf')
      const text = Buffer.from(await bytesOf(response)).toString('latin1')
      expect(text).toMatch(/^%PDF-1\.4\n/)
      expect(text).toContain(`/MediaBox[0 0 ${points} ${points}]`)
    }
  })

  test('the zip holds exactly the three pictures', async () => {
    const look = '?style=rounded&fg=%231e40af&bg=f0f9ff&size=512'
    const response = await owner.call(`/api/qr-codes/${code.id}/download-zip${look}`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/zip')
    const wanted = 'attachment; filename="Menu_all_formats.zip"'
    expect(response.headers.get('content-disposition')).toBe(wanted)
    const files = unzipSync(await bytesOf(response))
    expect(Object.keys(files).sort()).toEqual(['Menu.jpg', 'Menu.png', 'Menu.svg'])
    for (const format of formats) {
      const bytes = files[`Menu.${format}`] as Uint8Array
      expect(await textOf(format, bytes)).toBe(link(code))
      const single = await picture(`${look}&format=${format}`)
      expect(Buffer.from(bytes).equals(await bytesOf(single))).toBe(true)
    }
  })

  describe('with artwork', () => {
    const framed = madeIn(beforeAll, () => owner.code({ artwork: codeArtwork.parse({ frame }) }))
    const drawn = (query: Record<string, string>) =>
      picture(`?${new URLSearchParams(query)}`, framed)

    test('a framed code is higher than wide, and is read in every format', async () => {
      for (const format of ['png', 'jpg', 'webp', 'svg'] as const) {
        const file = await bytesOf(await drawn({ format, size: '400' }))
        const { width = 0, height = 0 } = await sharp(file).metadata()
        expect([format, width, height > width]).toEqual([format, 400, true])
        const shown =
          format === 'jpg' || format === 'png' ? file : await sharp(file).png().toBuffer()
        expect(await decodePicture(shown)).toBe(link(framed))
      }
    })

    test.each(['false', 'true'])('PDF and EPS, CMYK %s, are read', async (cmyk) => {
      const pdf = await drawn({ format: 'pdf', cmyk })
      expect(pdf.headers.get('content-type')).toBe('application/pdf')
      const { pixels } = await pdfPage(await bytesOf(pdf), 600)
      expect(await decodePicture(await asPng(pixels))).toBe(link(framed))
      const eps = await drawn({ format: 'eps', cmyk })
      expect(eps.headers.get('content-type')).toBe('application/postscript')
      expect(await decodePicture(await epsPicture(await bytesOf(eps), 600))).toBe(link(framed))
      expect(eps.headers.get('etag')).not.toBe(pdf.headers.get('etag'))
    })

    test('a letter that we cannot draw is refused by its name, saved or asked for', async () => {
      const message = 'We can’t draw the character ‘字’ in a frame.'
      const artwork = { frame: { ...frame, text: 'Scan 字' } }
      const asked = { artwork: JSON.stringify(artwork) }
      for (const answer of [owner.patch(framed.id, { artwork }), drawn(asked)]) {
        const { fields } = await expectRefusal(answer, 'invalid_input')
        expect(fields).toEqual({ 'artwork.frame.text': message })
      }
    })

    test('CMYK of a PNG is refused, and so is a parameter that a zip or a check does not have', async () => {
      expect((await drawn({ format: 'png', cmyk: 'true' })).status).toBe(422)
      for (const call of ['download-zip?logo=x', 'legibility?logo=x']) {
        expect((await owner.call(`/api/qr-codes/${framed.id}/${call}`)).status).toBe(422)
      }
    })
  })
})
