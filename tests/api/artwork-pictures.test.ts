import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import type { QrCode } from '#contract/codes.ts'
import { codeArtwork } from '#contract/pictures/artwork.ts'
import type { FrameChoice } from '#qr/artwork/artwork.ts'
import { decodePicture } from '../support/decode.ts'
import { oneEngineInCi } from '../support/engines.ts'
import { epsPicture } from '../support/eps-picture.ts'
import { pdfPage } from '../support/pdf-page.ts'
import { enrolPerson } from '../support/person.ts'
import { asPng } from '../support/pixels.ts'
import { expectRefusal } from '../support/refusal.ts'
import { runTessera } from '../support/tessera.ts'

const frame: FrameChoice = {
  shape: 'below',
  text: 'Scan me',
  size: 'medium',
  color: '#166534',
  textColor: '#ffffff',
}
const framed = (change: Partial<FrameChoice> = {}) =>
  codeArtwork.parse({ frame: { ...frame, ...change } })
const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer())

describe.each(oneEngineInCi)('pictures with artwork on %s', (engine) => {
  const tessera = runTessera({ engine, checks: true })
  const owner = enrolPerson(tessera, 'unlimited')
  let code: QrCode
  beforeAll(async () => {
    code = await owner.code({ name: 'Menu', artwork: framed() })
  })

  const picture = (query: Record<string, string> = {}, { id } = code) =>
    owner.call(`/api/qr-codes/${id}/generate?${new URLSearchParams(query)}`)
  const linkOf = ({ shortCode }: QrCode) => `${tessera.origin}/qr/${shortCode}`

  test('a framed code is higher than wide, and is read in every format', async () => {
    for (const format of ['png', 'jpg', 'webp', 'svg'] as const) {
      const file = await bytesOf(await picture({ format, size: '400' }))
      const { width = 0, height = 0 } = await sharp(file).metadata()
      expect([format, width, height > width]).toEqual([format, 400, true])
      const shown = format === 'jpg' || format === 'png' ? file : await sharp(file).png().toBuffer()
      expect(await decodePicture(shown)).toBe(linkOf(code))
    }
  })

  test.each(['false', 'true'])('PDF and EPS, CMYK %s, are read', async (cmyk) => {
    const pdf = await picture({ format: 'pdf', cmyk })
    expect(pdf.headers.get('content-type')).toBe('application/pdf')
    const { pixels } = await pdfPage(await bytesOf(pdf), 600)
    expect(await decodePicture(await asPng(pixels))).toBe(linkOf(code))
    const eps = await picture({ format: 'eps', cmyk })
    expect(eps.headers.get('content-type')).toBe('application/postscript')
    expect(await decodePicture(await epsPicture(await bytesOf(eps), 600))).toBe(linkOf(code))
    expect(eps.headers.get('etag')).not.toBe(pdf.headers.get('etag'))
  })

  test('a letter that we cannot draw is refused by its name, saved or asked for', async () => {
    const message = 'We can’t draw the character ‘字’ in a frame.'
    const artwork = { ...framed(), frame: { ...frame, text: 'Scan 字' } }
    const asked = { artwork: JSON.stringify(artwork) }
    for (const answer of [owner.patch(code.id, { artwork }), picture(asked)]) {
      const { fields } = await expectRefusal(answer, 'invalid_input')
      expect(fields).toEqual({ 'artwork.frame.text': message })
    }
  })

  test('CMYK of a PNG is refused, and so is a parameter that a zip or a check does not have', async () => {
    expect((await picture({ format: 'png', cmyk: 'true' })).status).toBe(422)
    for (const call of ['download-zip?logo=x', 'legibility?logo=x']) {
      expect((await owner.call(`/api/qr-codes/${code.id}/${call}`)).status).toBe(422)
    }
  })
})
