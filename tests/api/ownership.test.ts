import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { QrCode } from '../../src/contract/codes.ts'
import { BEHIND_PROXY } from '../support/crowd.ts'
import { engines } from '../support/engines.ts'
import { leadsTo } from '../support/link.ts'
import type { Person } from '../support/person.ts'
import { newPerson } from '../support/person.ts'
import { startTessera, type Tessera } from '../support/tessera.ts'

type Call = { method: string; path: (id: string) => string; body?: object }

/** Every call that takes an id. */
const calls: Call[] = [
  { method: 'GET', path: (id) => `/api/qr-codes/${id}` },
  {
    method: 'PATCH',
    path: (id) => `/api/qr-codes/${id}`,
    body: { name: 'Mine now', url: 'https://evil.example', vanityUrl: 'mine-now' },
  },
  { method: 'PATCH', path: (id) => `/api/qr-codes/${id}`, body: {} },
  { method: 'DELETE', path: (id) => `/api/qr-codes/${id}` },
  { method: 'POST', path: (id) => `/api/qr-codes/${id}/restore` },
  { method: 'GET', path: (id) => `/api/qr-codes/${id}/generate` },
  { method: 'GET', path: (id) => `/api/qr-codes/${id}/generate?format=svg&size=128` },
  { method: 'GET', path: (id) => `/api/qr-codes/${id}/download-zip` },
  { method: 'GET', path: (id) => `/api/qr-codes/${id}/legibility` },
  { method: 'GET', path: (id) => `/api/analytics/qr-code/${id}` },
  {
    method: 'GET',
    path: (id) => `/api/analytics/qr-code/${id}/latest?after=2026-11-23T00:00:00Z`,
  },
]

const names = calls.map((call) => [`${call.method} ${call.path('{id}')}`, call] as const)

const strange = [
  'x',
  '1',
  'null',
  '__proto__',
  "' or 1=1 --",
  '%00',
  'a%00b',
  '%E2%80%AE',
  '..%2F..',
  'draft',
  'x'.repeat(3_000),
]

/** What has another id than a code. PostgreSQL takes no text with a NUL. */
const namedThings: [string, [method: string, path: string, body?: object][]][] = [
  [
    'a tag',
    [
      ['PATCH', '/api/tags/{id}', { name: 'Mine' }],
      ['DELETE', '/api/tags/{id}'],
      ['POST', '/api/tags/{id}/codes', { add: [] }],
    ],
  ],
  ['an API key', [['DELETE', '/api/account/keys/{id}']]],
  ['a session', [['DELETE', '/api/account/sessions/{id}']]],
  ['a passkey', [['DELETE', '/api/account/passkeys/{id}']]],
  [
    'a webhook',
    [
      ['PATCH', '/api/webhooks/{id}', { isOn: false }],
      ['DELETE', '/api/webhooks/{id}'],
      ['GET', '/api/webhooks/{id}/secret'],
      ['GET', '/api/webhooks/{id}/deliveries'],
      ['POST', '/api/webhooks/{id}/test'],
    ],
  ],
  [
    'a style',
    [
      ['PATCH', '/api/looks/{id}', { name: 'Mine' }],
      ['DELETE', '/api/looks/{id}'],
    ],
  ],
]

describe.each(engines)('codes of other accounts on %s', (engine) => {
  let tessera: Tessera
  let owner: Person
  let intruder: Person
  let code: QrCode
  let binned: QrCode
  let draft: QrCode
  beforeAll(async () => {
    tessera = await startTessera({ engine, environment: BEHIND_PROXY })
    owner = await newPerson(tessera, 'professional')
    intruder = await newPerson(tessera, 'professional')
    code = await owner.code({ vanityUrl: `own-${engine}` })
    binned = await owner.code()
    draft = await owner.draft()
    await owner.call(`/api/qr-codes/${binned.id}`, { method: 'DELETE' })
  })
  afterAll(() => tessera.stop())

  async function answer(person: Person, { method, path, body }: Call, id: string) {
    const response = await person.call(path(id), { method, body })
    const text = await response.text()
    const headers = ['content-type', 'etag', 'cache-control', 'location', 'content-length']
    return [response.status, text, ...headers.map((name) => response.headers.get(name))]
  }

  test.each(names)('%s answers as for a missing code', async (_name, call) => {
    const missing = await answer(intruder, call, randomUUID())
    expect(missing.slice(0, 3)).toEqual([
      404,
      '{"message":"QR code not found","code":"code_not_found"}',
      'application/json; charset=utf-8',
    ])
    const ids = [code.id, code.id.toUpperCase(), binned.id, draft.id, ...strange]
    const answers = ids.map(async (id) => [id, ...(await answer(intruder, call, id))])
    expect(await Promise.all(answers)).toEqual(ids.map((id) => [id, ...missing]))
  })

  test.each(namedThings)('a NUL in the id of %s names nothing', async (_thing, calls) => {
    for (const [method, path, body] of calls) {
      for (const id of ['%00', 'a%00b']) {
        const response = await owner.call(path.replace('{id}', id), { method, body })
        const text = await response.text()
        expect([method, path, response.status, text]).toEqual([
          ...[method, path, 404, '{"message":"Not found","code":"not_found"}'],
        ])
      }
    }
  })

  test('the owner’s codes are unchanged', async () => {
    expect(await owner.ask('/api/qr-codes')).toEqual([code])
    expect(await leadsTo(tessera, code.shortCode)).toBe(code.url)
    expect((await owner.call(`/api/qr-codes/${draft.id}`)).status).toBe(200)
    const restored = await owner.call(`/api/qr-codes/${binned.id}/restore`, { method: 'POST' })
    expect(restored.status).toBe(200)
  })

  test('an id is the same in capitals', async () => {
    const id = code.id.toUpperCase()
    const own = ['', '/generate', '/download-zip'].map((path) => `/api/qr-codes/${id}${path}`)
    for (const path of [...own, `/api/analytics/qr-code/${id}`]) {
      expect([path, (await owner.call(path)).status]).toEqual([path, 200])
    }
  })
})
