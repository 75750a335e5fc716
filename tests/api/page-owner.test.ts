import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PAGE_OF } from '../../src/contract/page-of.ts'
import { newPerson, type Person } from '../support/person.ts'
import { refusal } from '../support/refusal.ts'
import { startTessera, type Tessera } from '../support/tessera.ts'

describe('a page whose browser is signed in to another account since', () => {
  let tessera: Tessera
  let before: Person
  let after: Person
  beforeAll(async () => {
    tessera = await startTessera()
    before = await newPerson(tessera)
    after = await newPerson(tessera)
  })
  afterAll(() => tessera.stop())

  const ofPage = ({ id }: Person) => ({ [PAGE_OF]: id })

  test('makes, changes and reads nothing in it', async () => {
    const { id, name } = await after.code()
    const headers = ofPage(before)
    for (const [method, path, body] of [
      ['POST', '/api/qr-codes/draft', undefined],
      ['PATCH', `/api/qr-codes/${id}`, { name: 'Mine' }],
      ['DELETE', `/api/qr-codes/${id}`, undefined],
      ['POST', '/api/create-checkout-session', { tier: 'starter', billing: 'monthly' }],
      ['PATCH', '/api/account', { firstName: 'Grace' }],
      ['GET', '/api/qr-codes', undefined],
      ['GET', '/api/auth/user', undefined],
    ] as const) {
      const answer = await refusal(await after.call(path, { method, body, headers }))
      expect(answer, path).toMatchObject({ status: 409, code: 'other_account' })
    }
    expect(await after.ask('/api/qr-codes')).toMatchObject([{ id, name }])
    expect(await after.ask('/api/auth/user')).toMatchObject({ firstName: 'Ada' })
  })

  test('goes on once its own account is back', async () => {
    expect((await before.call('/api/qr-codes', { headers: ofPage(before) })).status).toBe(200)
  })

  test('is sent to sign in if no user is signed in', async () => {
    const headers = { ...ofPage(before), cookie: '' }
    expect((await before.call('/api/qr-codes', { headers })).status).toBe(401)
  })
})
