import { expect, test } from 'vitest'
import { email } from '#contract/accounts/accounts.ts'

test('an address of an international domain is one address, however it is typed', () => {
  const typed = ['ada@müller.de', 'ada@MÜLLER.de', 'ada@mu\u0308ller.de', 'ada@xn--mller-kva.de']
  expect(new Set(typed.map((each) => email.parse(each)))).toEqual(new Set(['ada@xn--mller-kva.de']))
})

test.each([
  'ada@müller',
  'ada@mül/ler.de',
  'ada@mül ler.de',
  'ada@b@mü:1.de',
  '@müller.de',
  'adä@example.com',
])('%s is no address', (typed) => {
  expect(email.safeParse(typed).success).toBe(false)
})
