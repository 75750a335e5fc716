import { expect, test } from 'vitest'
import {
  base32,
  codeOfStep,
  digitsOf,
  makeRecoveryCodes,
  recoveryHash,
  seal,
  stepAt,
  stepOfCode,
  totpUri,
  unseal,
} from '../../../src/server/accounts/sign-in/second-factor/totp.ts'
import type { PersonId } from '../../../src/server/database/ids.ts'

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

const KEY = 'a key that only the tests know'
const [ada, eve] = ['ada', 'eve'] as [PersonId, PersonId]

test('a sealed secret opens with its key for its account only', () => {
  const sealed = seal(KEY, ada, secret)
  expect(Buffer.from(unseal(KEY, ada, sealed) ?? [])).toEqual(secret)
  expect(unseal(KEY, eve, sealed)).toBeUndefined()
  expect(unseal('another key', ada, sealed)).toBeUndefined()
})

test('a sealed secret does not show whether two are the same', () => {
  const sealed = [seal(KEY, ada, secret), seal(KEY, ada, secret)]
  expect(sealed[0]).not.toBe(sealed[1])
  expect(Buffer.from(sealed[0] ?? '', 'base64url').includes(secret)).toBe(false)
})

test.each(['', 'AAAA', 'not a secret'])('%j opens to nothing', (text) => {
  expect(unseal(KEY, ada, text)).toBeUndefined()
})

test('a damaged secret opens to nothing', () => {
  const bytes = Buffer.from(seal(KEY, ada, secret), 'base64url')
  for (const at of [0, 12, bytes.length - 1]) {
    const damaged = Buffer.from(bytes)
    damaged[at] = (damaged[at] ?? 0) ^ 1
    expect(unseal(KEY, ada, damaged.toString('base64url'))).toBeUndefined()
  }
})

test('ten recovery codes are all different, and easy to read', () => {
  const codes = makeRecoveryCodes()
  expect(new Set(codes).size).toBe(10)
  for (const code of codes)
    expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/)
})

test('a recovery code is the same in any writing', () => {
  const hash = recoveryHash('7k1m-x0q9-4hcd-n8vt')
  for (const typed of ['7K1M X0Q9 4HCD N8VT', '7kimxoq94hcdn8vt', ' 7k1m-xOq9-4hcd-n8vt ']) {
    expect(recoveryHash(typed)).toBe(hash)
  }
  expect(recoveryHash('7k1m-x0q9-4hcd-n8vs')).not.toBe(hash)
})
