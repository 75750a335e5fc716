import { expect, test } from 'vitest'
import { draw } from '#qr/scan-check/pixels.ts'
import { encode } from '#qr/symbol/encode.ts'
import { loadDecoders } from '../../../src/server/pictures/checks.ts'

const TEXT = 'https://tessera.example/qr/k7m2xq9'
const look = { style: 'classic', foreground: '#000', background: '#fff' } as const

test('two codes in one picture are not one code', async () => {
  const { zxing } = await loadDecoders()
  const once = draw(encode(TEXT), look, 256)
  const { data, width, height } = once
  const twice = { width, height: 2 * height, data: new Uint8ClampedArray([...data, ...data]) }
  expect(await zxing(once, { tryInvert: false })).toBe(TEXT)
  expect(await zxing(twice, { tryInvert: false })).toBe(null)
})

test('an empty picture and a file that is none are read as nothing', async () => {
  const { zxing, jsqr } = await loadDecoders()
  const empty = { width: 64, height: 64, data: new Uint8ClampedArray(4 * 64 * 64).fill(255) }
  expect(await zxing(empty, { tryInvert: false })).toBe(null)
  expect(await jsqr(empty)).toBe(null)
  expect(await zxing(Buffer.from('no picture'), { tryInvert: true })).toBe(null)
})
