import { expect, test } from 'vitest'
import { labelTexts } from '../../../src/client/codes/labels/caption-fields.tsx'

const codes = ['Bar', 'Hall', 'Terrace'].map((name, index) => ({
  id: `id${index}`,
  name,
  shortCode: `abc${index}`,
  vanityUrl: index === 2 ? 'sun' : null,
}))

test('a pasted column gives each code its line, and codes without one keep their name', () => {
  expect(labelTexts('Shelf 1\r\n\r\nShelf 3\r\n', codes)).toEqual({
    texts: { id0: 'Shelf 1', id2: 'Shelf 3' },
    missing: 1,
    problem: null,
  })
  expect(labelTexts('', codes)).toEqual({ texts: {}, missing: 3, problem: null })
})

test('two columns find their codes by name, path or short link, in any order', () => {
  const pasted = 'https://example.com/qr/abc1\tSecond\nterrace\tThird\nnobody\tNo one'
  expect(labelTexts(pasted, codes)).toEqual({
    texts: { id1: 'Second', id2: 'Third' },
    missing: 1,
    problem: null,
  })
})

test('a mistake in a column is shown with its line', () => {
  expect(labelTexts('a\nb\nc\nd', codes).problem).toBe('There are 4 lines for 3 QR codes')
  expect(labelTexts(`a\n${'x'.repeat(201)}`, codes).problem).toBe(
    'Line 2 is longer than 200 characters',
  )
  expect(labelTexts('a\u202eb', codes).problem).toBe('Line 1 has characters that can’t be used')
})
