import { describe, expect, test } from 'vitest'
import { Person } from '../support/person.ts'
import { refusal } from '../support/refusal.ts'
import { routeRules } from '../support/route-rules.ts'
import { inTurn } from '../support/soak.ts'
import { runTessera } from '../support/tessera.ts'

const id = '00000000-0000-4000-8000-000000000000'

/** A page, which leads to the sign-in, and what is there only with a provider */
const OTHERS = [
  'GET /api/checkout/:id',
  'POST /api/account/provider/link',
  'DELETE /api/account/provider',
]

/** Every call of a signed-in user. */
const calls = Object.entries(routeRules)
  .filter(([name, rule]) => {
    const isClosed = rule.for === 'accounts' || rule.for === 'owners'
    return isClosed && !OTHERS.includes(name)
  })
  .map(([name], nth) => {
    const [method = '', path = ''] = name.split(' ')
    return [method, path.replace(':id', id), nth] as const
  })

const BAD_BODIES = ['{', '{"name":1,"tier":2}', '['.repeat(30_000), 'x'.repeat(70_000)].flatMap(
  (body) =>
    ['application/json', 'text/plain', 'application/xml'].map((type) => [body, type] as const),
)

describe('a visitor who is signed out', () => {
  const tessera = runTessera()

  const UNAUTHORIZED = { status: 401, message: 'Unauthorized', code: 'unauthorized' }

  test.each(calls)('is unauthorized at %s %s', async (method, path, nth) => {
    const visitor = new Person(tessera, '')
    const response = await visitor.call(path, { method })
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await refusal(response)).toEqual(UNAUTHORIZED)
    // Bad input gets no other answer.
    const query = '?page=x&tz=Nowhere&format=gif&size=1&fg=red'
    for (const bad of [path + query, path.replace(id, '%00')]) {
      expect(await refusal(await visitor.call(bad, { method }))).toEqual(UNAUTHORIZED)
    }
    if (method === 'GET') return
    for (const [body, type] of inTurn(BAD_BODIES, nth)) {
      const headers = { 'content-type': type }
      const response = await fetch(tessera.origin + path, { method, body, headers })
      expect(await refusal(response)).toEqual(UNAUTHORIZED)
    }
  })

  test('finds no provider if none is configured', async () => {
    for (const path of ['/api/auth/provider', '/api/auth/provider/callback']) {
      expect((await fetch(tessera.origin + path)).status).toBe(404)
    }
  })

  test('can read the configuration', async () => {
    const response = await fetch(`${tessera.origin}/api/config`)
    expect(await response.json()).toEqual({
      hostUrl: tessera.origin,
      billing: expect.stringMatching(/^(stripe|sandbox|off)$/),
      checkout: 'hosted',
      publishableKey: null,
      supportEmail: null,
      privacyUrl: null,
      termsUrl: null,
      signUp: 'open',
      mail: 'outbox',
      passwordLogin: true,
      hasRegions: false,
      provider: null,
      verifyEmail: 'optional',
    })
  })
})
