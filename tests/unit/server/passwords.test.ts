import { createHook } from 'node:async_hooks'
import { scryptSync } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { Hashing } from '../../../src/server/accounts/passwords/hashing.ts'
import { hashPassword, verifyPassword } from '../../../src/server/accounts/passwords/passwords.ts'
import { quickKey } from '../../support/enrolment.ts'

const PASSWORD = 'correct horse battery'

describe('passwords', () => {
  const hashing = new Hashing()
  afterAll(() => hashing.stop())

  test('are hashed at the cost that OWASP recommends', async () => {
    const hash = await hashPassword(PASSWORD, hashing.derive)
    expect(hash).toMatch(/^[0-9a-f]{32}:[0-9a-f]{128}$/)
    const [salt = '', key] = hash.split(':')
    const cost = { N: 2 ** 14, r: 8, p: 5, maxmem: 64 * 1024 * 1024 }
    expect(scryptSync(PASSWORD, Buffer.from(salt, 'hex'), 64, cost).toString('hex')).toBe(key)
    expect(await verifyPassword({ hash, password: PASSWORD }, hashing.derive)).toBe(true)
  })

  test('are not hashed in the threads in which Node reads files', async () => {
    const seen: string[] = []
    const hook = createHook({ init: (_id, type) => seen.push(type) }).enable()
    await hashing.derive(PASSWORD, Buffer.alloc(16))
    hook.disable()
    // Work that Node gives to the threads of libuv is a request: SCRYPTREQUEST, FSREQCALLBACK.
    expect(seen.filter((type) => type === 'SCRYPTREQUEST')).toEqual([])
  })

  const hashOf = (password: string) => hashPassword(password, quickKey)
  const fits = (hash: string, password: string) => verifyPassword({ hash, password }, quickKey)

  test('are hashed with a salt of their own', async () => {
    const [one, two] = [await hashOf(PASSWORD), await hashOf(PASSWORD)]
    expect(one.split(':')[0]).not.toBe(two.split(':')[0])
    expect(one.split(':')[1]).not.toBe(two.split(':')[1])
    expect([await fits(one, PASSWORD), await fits(two, PASSWORD)]).toEqual([true, true])
  })

  test('another password, however close, does not fit', async () => {
    const hash = await hashOf(PASSWORD)
    for (const password of ['correct horse batterx', 'Correct horse battery', '', ' ']) {
      expect(await fits(hash, password)).toBe(false)
    }
  })

  test('are the same however a keyboard composes them', async () => {
    expect(await fits(await hashOf('Zu\u0308rich 2026'), 'Z\u00fcrich 2026')).toBe(true)
  })

  test('a damaged hash fits nothing', async () => {
    for (const hash of ['', ':', 'abc', 'zz:zz', `${'0'.repeat(32)}:`]) {
      expect(await fits(hash, '')).toBe(false)
    }
  })
})
