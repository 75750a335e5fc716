import { expect, test } from 'vitest'
import { identityOf } from '../../../src/server/accounts/sign-in/provider/identity.ts'

test('names and address are taken from the claims', () => {
  const claims = {
    sub: '42',
    email: 'Grace@Example.com',
    email_verified: true,
    name: 'Grace Hopper',
    given_name: 'Grace',
    family_name: 'Hopper',
    picture: 'https://example.com/grace.png',
  }
  expect(identityOf(claims)).toEqual({
    subject: '42',
    email: 'grace@example.com',
    isEmailVerified: true,
    name: 'Grace Hopper',
    firstName: 'Grace',
    lastName: 'Hopper',
    picture: 'https://example.com/grace.png',
  })
})

test.each([
  [true, true],
  ['true', true],
  [false, false],
  ['false', false],
  [1, false],
  [undefined, false],
])('email_verified %j means %j', (email_verified, isEmailVerified) => {
  expect(identityOf({ sub: '42', email: 'a@example.com', email_verified })).toMatchObject({
    isEmailVerified,
  })
})

test('that one address is verified says nothing of another', () => {
  const proved = { sub: '42', email: 'victim@example.com', name: 'Grace' }
  const more = { sub: '42', email: 'grace@example.com', email_verified: true }
  const { email, isEmailVerified } = identityOf(proved, more)
  expect([email, isEmailVerified]).toEqual(['grace@example.com', true])
  expect(identityOf(proved, { sub: '42', email_verified: true }).isEmailVerified).toBe(false)
})

test('a person without a name is called by the address', () => {
  expect(identityOf({ sub: '42', email: 'grace@example.com' }).name).toBe('grace')
  expect(identityOf({ sub: '42', given_name: 'Grace' }).name).toBe('Grace')
})

test('a claim that cannot be stored is left out, and a long one is cut', () => {
  const odd = identityOf({
    sub: '42',
    email: 'grace',
    name: ['Grace'],
    picture: 7,
    given_name: 'Gr\0ace',
    family_name: 'H'.repeat(500),
  })
  expect(odd).toMatchObject({ email: undefined, firstName: undefined, picture: undefined })
  expect(odd.lastName).toBe('H'.repeat(100))
})

test.each([undefined, '', 42, 'a\0b', 'x'.repeat(256)])('a subject %j is refused', (sub) => {
  expect(() => identityOf({ sub })).toThrow('subject')
})
