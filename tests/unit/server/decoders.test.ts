import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { Pixels } from '#qr/formats/pixels.ts'
import { draw } from '#qr/scan-check/pixels.ts'
import { encode } from '#qr/symbol/encode.ts'
import { loadDecoders } from '../../../src/server/pictures/checks.ts'

const TEXT = 'https://tessera.example/qr/k7m2xq9'
const symbol = encode(TEXT)
const dark = { style: 'classic', foreground: '#000', background: '#fff' } as const
const light = { style: 'classic', foreground: '#fff', background: '#111827' } as const

const picture = (appearance: typeof dark | typeof light) => draw(symbol, appearance, 256)

function fileOf({ data, width, height }: Pixels): Promise<Buffer> {
  return sharp(data, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer()
}

test('both decoders read pixels; ZXing reads a file too', async () => {
  const { zxing, jsqr } = await loadDecoders()
  expect(await zxing(picture(dark), { tryInvert: false })).toBe(TEXT)
  expect(await zxing(await fileOf(picture(dark)), { tryInvert: false })).toBe(TEXT)
  expect(await jsqr(picture(dark))).toBe(TEXT)
})

test('a negative is read by ZXing alone, and only where it may try', async () => {
  const { zxing, jsqr } = await loadDecoders()
  expect(await zxing(picture(light), { tryInvert: false })).toBe(null)
  expect(await zxing(picture(light), { tryInvert: true })).toBe(TEXT)
  expect(await jsqr(picture(light))).toBe(null)
})

test('two codes in one picture are not one code', async () => {
  const { zxing } = await loadDecoders()
  const { data, width, height } = picture(dark)
  const twice = { width, height: 2 * height, data: new Uint8ClampedArray([...data, ...data]) }
  expect(await zxing(twice, { tryInvert: false })).toBe(null)
})

test('an empty picture and a file that is none are read as nothing', async () => {
  const { zxing, jsqr } = await loadDecoders()
  const empty = { width: 64, height: 64, data: new Uint8ClampedArray(4 * 64 * 64).fill(255) }
  expect(await zxing(empty, { tryInvert: false })).toBe(null)
  expect(await jsqr(empty)).toBe(null)
  expect(await zxing(Buffer.from('no picture'), { tryInvert: true })).toBe(null)
})
