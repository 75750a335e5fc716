import { describe, expect, it, test } from 'vitest'
import { cardErrors, testCardOf } from '../../../src/client/billing/payment/test-card.ts'

const NOW = new Date(2026, 6, 31)
const complete = { number: '4242 4242 4242 4242', expiry: '12/34', cvc: '123' }

test.each([
  ['4242 4242 4242 4242', 'pays'],
  ['4242424242424242', 'pays'],
  ['4000 0025 0000 3155', 'asks'],
  [' 4000-0000-0000-0002 ', 'declined'],
  ['4000000000000341', 'fails_later'],
])('the number %s is of the card %s', (number, card) => {
  expect(testCardOf(number)).toBe(card)
})

describe('a card', () => {
  it('is complete with a number, a future month and three digits', () => {
    expect(cardErrors(complete, NOW)).toEqual({})
    expect(cardErrors({ ...complete, cvc: '1234' }, NOW)).toEqual({})
  })

  it.each(['4111 1111 1111 1111', '4242 4242 4242 424', '4242', 'my card'])(
    'with the number %s cannot be used here',
    (number) => {
      expect(cardErrors({ ...complete, number }, NOW)).toEqual({
        number: expect.stringMatching(/^This isn’t a test card\. Use 4242 4242 4242 4242, /),
      })
    },
  )

  it.each(['07/26', '7/26', '0726', '07 / 2026', '12-2099'])('is valid with %s', (expiry) => {
    expect(cardErrors({ ...complete, expiry }, NOW)).toEqual({})
  })

  it.each([
    ['06/26', 'This date has passed. Enter a later one.'],
    ['12/2025', 'This date has passed. Enter a later one.'],
    ['', 'Enter a month and a year, such as 12/34.'],
    ['13/30', 'Enter a month and a year, such as 12/34.'],
    ['00/30', 'Enter a month and a year, such as 12/34.'],
    ['12', 'Enter a month and a year, such as 12/34.'],
  ])('is not valid with %s', (expiry, message) => {
    expect(cardErrors({ ...complete, expiry }, NOW)).toEqual({ expiry: message })
  })

  it('has an error for every incomplete field, in the order of the form', () => {
    const errors = cardErrors({ number: '', expiry: '', cvc: '12' }, NOW)
    expect(Object.keys(errors)).toEqual(['number', 'expiry', 'cvc'])
  })
})
