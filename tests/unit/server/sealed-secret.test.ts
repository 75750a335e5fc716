import { expect, test } from 'vitest'
import {
  makeRecoveryCodes,
  recoveryHash,
} from '../../../src/server/accounts/sign-in/second-factor/recovery-codes.ts'
import { seal, unseal } from '../../../src/server/accounts/sign-in/second-factor/sealed-secret.ts'

const KEY = 'a key that only the tests know'
const secret = Buffer.from('12345678901234567890')

test('a sealed secret opens with its key for its account only', () => {
  const sealed = seal(KEY, 'ada', secret)
  expect(Buffer.from(unseal(KEY, 'ada', sealed) ?? [])).toEqual(secret)
  expect(unseal(KEY, 'eve', sealed)).toBeUndefined()
  expect(unseal('another key', 'ada', sealed)).toBeUndefined()
})

test('a sealed secret tells nothing, not even whether two are the same', () => {
  const sealed = [seal(KEY, 'ada', secret), seal(KEY, 'ada', secret)]
  expect(sealed[0]).not.toBe(sealed[1])
  expect(Buffer.from(sealed[0] ?? '', 'base64url').includes(secret)).toBe(false)
})

test.each(['', 'AAAA', 'no secret at all'])('%j opens to nothing', (text) => {
  expect(unseal(KEY, 'ada', text)).toBeUndefined()
})

test('a damaged secret opens to nothing', () => {
  const bytes = Buffer.from(seal(KEY, 'ada', secret), 'base64url')
  for (const at of [0, 12, bytes.length - 1]) {
    const damaged = Buffer.from(bytes)
    damaged[at] = (damaged[at] ?? 0) ^ 1
    expect(unseal(KEY, 'ada', damaged.toString('base64url'))).toBeUndefined()
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
