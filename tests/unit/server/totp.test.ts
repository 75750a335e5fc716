import { expect, test } from 'vitest'
import {
  base32,
  codeOfStep,
  digitsOf,
  stepAt,
  stepOfCode,
  totpUri,
} from '../../../src/server/accounts/sign-in/second-factor/totp.ts'

/** RFC 6238, appendix B: the last six digits of its table for SHA-1. */
const secret = Buffer.from('12345678901234567890')
const vectors: [number, string][] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
]

test.each(vectors)('at second %i the code of the RFC’s secret is %s', (second, code) => {
  expect(codeOfStep(secret, stepAt(new Date(second * 1000)))).toBe(code)
})

test('a code counts in its 30 seconds, those before and those after', () => {
  const now = new Date(1_111_111_111_000)
  const here = stepAt(now)
  for (const off of [-1, 0, 1]) {
    expect(stepOfCode(secret, codeOfStep(secret, here + off), now)).toBe(here + off)
  }
  for (const off of [-2, 2]) {
    expect(stepOfCode(secret, codeOfStep(secret, here + off), now)).toBeUndefined()
  }
})

test.each([
  ['123456', '123456'],
  ['123 456', '123456'],
  ['123-456', '123456'],
  ['12345', undefined],
  ['1234567', undefined],
  ['١٢٣٤٥٦', undefined],
  ['7k2m-x0q9-4hcd-n8vt', undefined],
])('the digits of %j are %j', (typed, digits) => {
  expect(digitsOf(typed)).toBe(digits)
})

/** RFC 4648 §10 */
test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('%j in base 32 is %j', (text, encoded) => {
  expect(base32(Buffer.from(text))).toBe(encoded)
})

test('an app reads the secret, the service and the account from the address', () => {
  const url = new URL(totpUri(secret, 'ada+qr@example.com'))
  expect([url.protocol, url.host]).toEqual(['otpauth:', 'totp'])
  expect(decodeURIComponent(url.pathname)).toBe('/Tessera:ada+qr@example.com')
  expect(Object.fromEntries(url.searchParams)).toEqual({
    secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
    issuer: 'Tessera',
  })
})
