import { describe, expect, test } from 'vitest'
import {
  hashPassword,
  isCommonPassword,
  verifyPassword,
} from '../../../src/server/accounts/passwords.ts'

describe('passwords', () => {
  test('are hashed with a salt of their own', async () => {
    const password = 'correct horse battery'
    const [one, two] = [await hashPassword(password), await hashPassword(password)]
    expect(one).toMatch(/^[0-9a-f]{32}:[0-9a-f]{128}$/)
    expect(one.split(':')).not.toEqual(two.split(':'))
    expect(await verifyPassword({ hash: one, password })).toBe(true)
    expect(await verifyPassword({ hash: two, password })).toBe(true)
  })

  test('another password, however close, does not fit', async () => {
    const hash = await hashPassword('correct horse battery')
    for (const password of ['correct horse batterx', 'Correct horse battery', '', ' ']) {
      expect(await verifyPassword({ hash, password })).toBe(false)
    }
  })

  test('are the same however a keyboard composes them', async () => {
    const hash = await hashPassword('Zu\u0308rich 2026')
    expect(await verifyPassword({ hash, password: 'Z\u00fcrich 2026' })).toBe(true)
  })

  test('a damaged hash fits nothing', async () => {
    for (const hash of ['', ':', 'abc', 'zz:zz', `${'0'.repeat(32)}:`]) {
      expect(await verifyPassword({ hash, password: '' })).toBe(false)
    }
  })

  test.each(['password', 'Password123', '12345678', 'qwertyuiop', 'ILOVEYOU'])(
    '%s is common',
    async (password) => {
      expect(await isCommonPassword(password)).toBe(true)
    },
  )

  test.each(['correct horse battery', '__proto__', 'toString', ''])(
    '%j is not common',
    async (password) => {
      expect(await isCommonPassword(password)).toBe(false)
    },
  )
})
