import { beforeAll, describe, expect, test } from 'vitest'
import { PAGE_OF } from '../../src/contract/page-of.ts'
import { madeIn } from '../support/for-block.ts'
import { enrolPerson, type Person } from '../support/person.ts'
import { refusal } from '../support/refusal.ts'
import { routeRules } from '../support/route-rules.ts'
import { runTessera } from '../support/tessera.ts'

const tessera = runTessera()

describe('requests that other sites make with a visitor’s cookie', () => {
  const owner = enrolPerson(tessera, 'professional')
  const code = madeIn(beforeAll, () => owner.code())

  /** Programs call these two: the payment provider, and mail programs (RFC 8058), with a token each. */
  const OPEN = ['POST /api/billing/webhook', 'POST /api/unsubscribe']
  const mutations = Object.keys(routeRules)
    .filter((name) => !name.startsWith('GET ') && !OPEN.includes(name))
    .map((name) => name.replace(':id', 'ID').split(' ') as [string, string])

  const origins: [string, Record<string, string>][] = [
    ['another origin', { origin: 'https://evil.example' }],
    ['no origin of its own', { origin: 'null' }],
    ['a look-alike', { origin: 'http://localhost.evil.example' }],
    ['another port', { origin: 'http://localhost:1' }],
    ['a cross-site page', { 'sec-fetch-site': 'cross-site' }],
    ['a page of a sibling domain', { 'sec-fetch-site': 'same-site' }],
  ]

  test.each(mutations)('%s %s refuses all of them', async (method, path) => {
    for (const [who, headers] of origins) {
      const response = await owner.call(path.replace('ID', code.id), {
        method,
        headers,
        body: { name: 'Stolen', url: 'https://evil.example' },
      })
      expect([who, await refusal(response)]).toEqual([
        who,
        expect.objectContaining({ status: 403, code: 'forbidden' }),
      ])
    }
    expect(await owner.ask('/api/qr-codes')).toEqual([code])
  })

  test('the site’s own pages and programs without an origin may change things', async () => {
    const own: Record<string, string>[] = [
      { origin: tessera.origin, 'sec-fetch-site': 'same-origin' },
      { origin: tessera.origin.replace('localhost', '127.0.0.1') },
      { 'sec-fetch-site': 'none' },
    ]
    for (const headers of own) {
      const body = { name: 'Menu' }
      const init = { method: 'PATCH', headers, body }
      expect((await owner.call(`/api/qr-codes/${code.id}`, init)).status).toBe(200)
    }
    const program = await fetch(`${tessera.origin}/api/qr-codes/${code.id}`, {
      method: 'PATCH',
      headers: { cookie: owner.cookie, 'content-type': 'application/json' },
      body: '{"name":"Menu"}',
    })
    expect(program.status).toBe(200)
  })

  test('other sites cannot read answers', async () => {
    const response = await owner.call('/api/qr-codes', {
      headers: { origin: 'https://evil.example' },
    })
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
    expect(response.headers.get('cross-origin-resource-policy')).toBe('same-origin')
    const preflight = await owner.call('/api/qr-codes', {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'DELETE' },
    })
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull()
    expect(preflight.headers.get('access-control-allow-methods')).toBeNull()
  })
})

describe('a page whose browser is signed in to another account since', () => {
  const before = enrolPerson(tessera)
  const after = enrolPerson(tessera)

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
