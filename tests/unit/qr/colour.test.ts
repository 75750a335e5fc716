import { expect, test } from 'vitest'
import { parseColour, shades } from '#qr/formats/colour.ts'
import { NotAColour, normalColour } from '#qr/symbol/look.ts'

test('a colour has one spelling however it was typed', () => {
  expect(normalColour('#FA0')).toBe('#ffaa00')
  expect(normalColour('#1E40AF')).toBe('#1e40af')
  expect(parseColour('#1e40af')).toEqual([30, 64, 175])
})

test('shades run evenly from background to foreground and hit both exactly', () => {
  expect([...shades('#fff', '#000', 2)]).toEqual([255, 255, 255, 0, 0, 0])
  expect([...shades('#000', '#f00', 4)]).toEqual([0, 0, 0, 85, 0, 0, 170, 0, 0, 255, 0, 0])
})

test.each([
  '"/><script>alert(1)</script>',
  'url(#x)',
  '#fff" onload="x',
  '#fff\n',
  '#ffff',
  '#12345g',
  'red',
  'ffffff',
  ' #fff',
  '',
])('%j is no colour', (text) => {
  expect(() => normalColour(text)).toThrow(NotAColour)
  expect(() => shades(text, '#000', 2)).toThrow(NotAColour)
})
