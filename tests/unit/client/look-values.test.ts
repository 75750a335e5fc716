import { describe, expect, test } from 'vitest'
import { isSameLook, lookIn } from '../../../src/client/codes/styles/queries.ts'
import { fieldsOf } from '../../../src/contract/pictures/pictures.ts'
import { PLAIN_ARTWORK } from '../../../src/qr/artwork/artwork.ts'
import { DEFAULT_LOOK } from '../../../src/qr/symbol/look.ts'

const look = fieldsOf(DEFAULT_LOOK)

describe('the look in a form', () => {
  test('is what a style keeps, and nothing else of the code', () => {
    const values = { ...look, name: 'Menu', url: 'https://example.com', vanityUrl: 'menu' }
    expect(lookIn(values)).toEqual(look)
  })

  test('does not exist while a colour is half typed', () => {
    expect(lookIn({ ...look, foregroundColor: '#12' })).toBeNull()
  })

  test('has no artwork if its shapes are plain', () => {
    expect(lookIn({ ...look, artwork: { ...PLAIN_ARTWORK } })).toEqual(look)
  })
})

describe('two looks', () => {
  test('are equal in any capitals of their colours and any order of their fields', () => {
    const artwork = { ...PLAIN_ARTWORK, modules: 'dots', eyeBallColor: '#aabbcc' } as const
    const turned = Object.fromEntries(Object.entries(artwork).reverse()) as typeof artwork
    const one = { ...look, artwork }
    const other = { ...look, artwork: { ...turned, eyeBallColor: '#AABBCC' } }
    expect(isSameLook(one, other)).toBe(true)
  })

  test('differ by each of their fields', () => {
    expect(isSameLook(look, { ...look, ecc: 'H' })).toBe(false)
    expect(isSameLook(look, { ...look, compact: true })).toBe(false)
    const artwork = { ...PLAIN_ARTWORK, margin: 6 }
    expect(isSameLook(look, { ...look, artwork })).toBe(false)
  })
})
