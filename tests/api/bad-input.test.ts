import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { codeChange, type QrCode } from '../../src/contract/codes/codes.ts'
import { BEHIND_PROXY, fromSomewhere } from '../support/crowd.ts'
import { engines } from '../support/engines.ts'
import { madeIn } from '../support/for-block.ts'
import { hostileText, hostileValue } from '../support/hostile-values.ts'
import { enrolPerson, newPerson } from '../support/person.ts'
import { rawAnswer } from '../support/raw-bytes.ts'
import { refusal } from '../support/refusal.ts'
import { seed, times } from '../support/soak.ts'
import { runTessera } from '../support/tessera.ts'

const RUNS = { seed, numRuns: times(30, 3000) }
/** As many requests as an account may make in a minute */
const RUNS_OF_ONE = 1_000
const KB = 1024

/** Fields of a code: those that a change may have, and some that it may not. */
const changeKeys = [
  ...Object.keys(codeChange.shape),
  ...['legibility', 'id', 'userId', 'shortCode', 'totalScans', 'plan', 'createdAt', 'expiresAt'],
]

const hostileBody = (keys: string[]) =>
  fc.dictionary(fc.constantFrom(...keys), hostileValue, { maxKeys: 5 })

/** One address may ask only so often in a minute. */
const elsewhere = () => ({ headers: fromSomewhere() })

const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

/** Bodies that no endpoint accepts. */
const brokenBodies: [string, string, string][] = [
  ['nothing', '', 'application/json'],
  ['half an object', '{"name":', 'application/json'],
  ['no JSON', 'name=Menu', 'application/json'],
  ['an array', '[]', 'application/json'],
  ['a text', '"name"', 'application/json'],
  ['null', 'null', 'application/json'],
  ['a number', '1e999', 'application/json'],
  ['a deep array', deep(30_000), 'application/json'],
  ['a deep value', `{"name":${deep(30_000)},"email":${deep(1)}}`, 'application/json'],
  ['__proto__', '{"__proto__":{"name":"Menu"}}', 'application/json'],
  ['constructor.prototype', '{"constructor":{"prototype":{"a":1}}}', 'application/json'],
  ['a form', 'name=Menu', 'application/x-www-form-urlencoded'],
  ['plain text', '{"name":"Menu"}', 'text/plain'],
  ['XML', '<name/>', 'application/xml'],
  ['several parts', '--x\r\n\r\n--x--', 'multipart/form-data; boundary=x'],
  ['no such type', '{}', 'nonsense'],
  ['50,000 deep and too large', deep(50_000), 'application/json'],
  ['more than 64 kB', JSON.stringify({ name: 'x'.repeat(64 * KB) }), 'application/json'],
]

describe.each(engines)('bad input on %s', (engine) => {
  const tessera = runTessera({ engine, environment: BEHIND_PROXY })
  const owner = enrolPerson(tessera, 'unlimited')
  const code = madeIn(beforeAll, () => owner.code())

  const withBody = (): [string, string][] => [
    ['PATCH', `/api/qr-codes/${code.id}`],
    ['POST', '/api/create-checkout-session'],
    ['POST', '/api/auth/sign-in/email'],
    ['POST', '/api/auth/sign-up/email'],
  ]

  const send = (method: string, path: string, body: string | Buffer, type: string, more = {}) =>
    fetch(tessera.origin + path, {
      method,
      body: new Uint8Array(Buffer.from(body)),
      headers: {
        cookie: owner.cookie,
        origin: tessera.origin,
        'content-type': type,
        ...fromSomewhere(),
        ...more,
      },
    })

  test.each(brokenBodies)('%s is refused by every call that takes a body', async (...given) => {
    const [, body, type] = given
    for (const [method, path] of withBody()) {
      const answer = await refusal(await send(method, path, body, type))
      expect([400, 413, 415, 422]).toContain(answer.status)
    }
    expect(await owner.ask('/api/qr-codes')).toEqual([code])
  })

  test('a body over 64 kB is too large and one of another type is not read', async () => {
    const large = JSON.stringify({ name: 'x'.repeat(64 * KB) })
    for (const [method, path] of withBody()) {
      expect((await refusal(await send(method, path, large, 'application/json'))).status).toBe(413)
      expect((await refusal(await send(method, path, '{}', 'text/plain'))).status).toBe(415)
      expect((await refusal(await send(method, path, '{', 'application/json'))).status).toBe(400)
    }
    const fits = JSON.stringify({ name: 'Fits', other: 'x'.repeat(60 * KB) })
    const own = await owner.code()
    const path = `/api/qr-codes/${own.id}`
    expect((await send('PATCH', path, fits, 'application/json')).status).toBe(200)
    await owner.delete(path)
  })

  test('a body in another encoding is refused by every call, with the place of its first byte', async () => {
    const name = Buffer.from('{"name":"Caf\xe9"}', 'latin1')
    const types = ['application/json; charset=iso-8859-1', 'application/json;charset="utf-16"']
    for (const [method, path] of withBody()) {
      const { message, status } = await refusal(await send(method, path, name, 'application/json'))
      expect([status, message]).toEqual([400, 'The body isn’t UTF-8: see the byte at position 12.'])
      for (const type of types) {
        expect((await refusal(await send(method, path, '{}', type))).status).toBe(415)
      }
      const zipped = await send(method, path, '{}', 'application/json', {
        'content-encoding': 'gzip',
      })
      expect((await refusal(zipped)).status).toBe(415)
    }
    const utf8 = await send(
      'PATCH',
      `/api/qr-codes/${code.id}`,
      '{}',
      'application/json; charset=UTF8',
    )
    expect(utf8.status).toBe(200)
  })

  test('a client that still sends gets its refusal, and the connection goes on', async () => {
    const large = 'x'.repeat(3 * KB * KB)
    const [head, rest] = [large.slice(0, 100 * KB), large.slice(100 * KB)]
    const lines = ['POST /api/qr-codes HTTP/1.1', 'Host: localhost', `Cookie: ${owner.cookie}`]
    lines.push('Content-Type: application/json', `Content-Length: ${large.length}`)
    const next = 'GET /api/nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
    const parts = [`${lines.join('\r\n')}\r\n\r\n${head}`, rest + next]
    const answers = await rawAnswer(tessera.origin, parts)
    expect(answers.match(/HTTP\S+ \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 404'])
  })

  test('a change is made completely or refused completely', async () => {
    let runs = 0
    let [who, own] = [owner, await owner.code()]
    await fc.assert(
      fc.asyncProperty(hostileBody(changeKeys), async (body) => {
        if (++runs % RUNS_OF_ONE === 0) {
          who = await newPerson(tessera, 'unlimited')
          own = await who.code()
        }
        const path = `/api/qr-codes/${own.id}`
        const before = await who.ask<QrCode>(path, elsewhere())
        const response = await who.call(path, { ...elsewhere(), method: 'PATCH', body })
        const after = who.ask<QrCode>(path, elsewhere())
        if (response.ok) {
          expect(await response.json()).toEqual(await after)
        } else {
          expect([400, 409, 422]).toContain((await refusal(response)).status)
          expect(await after).toEqual(before)
        }
        const { id, shortCode, createdAt, expiresAt } = await after
        expect({ id, shortCode, createdAt, expiresAt }).toEqual({
          id: own.id,
          shortCode: own.shortCode,
          createdAt: own.createdAt,
          expiresAt: null,
        })
      }),
      RUNS,
    )
    await who.remove(own.id)
  })

  test('any query gets an answer or the contract’s refusal', async () => {
    // One account may ask only so often in a minute, too.
    const asker = await newPerson(tessera, 'unlimited')
    const { id } = await asker.code()
    const look = ['style', 'fg', 'bg', 'ecc', 'compact']
    const targets: [string, string[]][] = [
      ['/api/qr-codes', ['page', 'q', 'status', 'sort']],
      [`/api/qr-codes/${id}/generate`, [...look, 'format', 'size', 'mm', 't', 'v']],
      [`/api/qr-codes/${id}/download-zip`, [...look, 'size', 'mm', 't']],
      ['/api/analytics/user', ['tz']],
      [`/api/analytics/qr-code/${id}`, ['tz']],
      [`/api/analytics/qr-code/${id}/latest`, ['after']],
      ['/api/analytics/daily-breakdown', ['tz']],
    ]
    const target = fc.constantFrom(...targets).chain(([path, keys]) =>
      fc
        .array(fc.tuple(fc.constantFrom(...keys, '__proto__', 'x[]'), hostileText), {
          maxLength: 4,
        })
        .map((pairs) => {
          const query = pairs.map(([key, value]) => `${key}=${encoded(value)}`).join('&')
          return `${path}?${query}`
        }),
    )
    await fc.assert(
      fc.asyncProperty(target, async (path) => {
        const response = await asker.call(path, elsewhere())
        if (response.ok) await response.arrayBuffer()
        else expect((await refusal(response)).status).toBe(422)
      }),
      RUNS,
    )
  })

  test('any sign-in gets the contract’s refusal and no session', async () => {
    const body = hostileBody(['email', 'password', 'name', 'rememberMe', 'callbackURL'])
    await fc.assert(
      fc.asyncProperty(body, async (given) => {
        for (const path of ['/api/auth/sign-in/email', '/api/auth/sign-up/email']) {
          const response = await send('POST', path, JSON.stringify(given), 'application/json')
          expect(response.headers.getSetCookie()).toEqual([])
          expect([400, 401, 422]).toContain((await refusal(response)).status)
        }
      }),
      RUNS,
    )
  })

  test('any name of a new account is taken as it is or refused', async () => {
    await fc.assert(
      fc.asyncProperty(hostileText, async (name) => {
        const email = `${crypto.randomUUID()}@example.com`
        const body = JSON.stringify({ email, password: 'correct horse battery', name })
        const response = await send('POST', '/api/auth/sign-up/email', body, 'application/json')
        if (response.ok) expect(await response.json()).toMatchObject({ user: { email } })
        else expect((await refusal(response)).status).toBe(422)
      }),
      { seed, numRuns: times(15, 300) },
    )
  }, 300_000)

  test('any path under /api gets an answer or a refusal, never a 5xx', async () => {
    const path = fc
      .array(fc.oneof(hostileText.map(encoded), fc.constantFrom('..', '.', '%2e%2e', '%2F', '')), {
        maxLength: 4,
      })
      .map((parts) => `/api/${parts.join('/')}`)
    await fc.assert(
      fc.asyncProperty(
        path,
        fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'),
        async (target, method) => {
          const { pathname } = new URL(target, tessera.origin)
          const response = await owner.call(target, { ...elsewhere(), method })
          expect(response.status).toBeLessThan(500)
          if (method === 'HEAD' || !/^\/api(\/|$)/.test(pathname)) await response.arrayBuffer()
          else if (!response.ok) await refusal(response)
        },
      ),
      RUNS,
    )
  })

  test.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND', 'SEARCH'])(
    '%s where it means nothing is refused with the methods that there are',
    async (method) => {
      for (const path of ['/api', '/api/', '/api/nothing']) {
        const response = await owner.call(path, { method })
        expect(await refusal(response)).toMatchObject({ status: 404, code: 'not_found' })
      }
      for (const path of ['/api/qr-codes', '/api/auth/user']) {
        const response = await owner.call(path, { method })
        expect(response.headers.get('allow')).toMatch(/^GET\b/)
        expect(response.status).toBe(method === 'OPTIONS' ? 204 : 405)
        if (!response.ok)
          expect(await refusal(response)).toMatchObject({ code: 'method_not_allowed' })
      }
    },
  )

  test.each([
    ['no HTTP', 'hello\r\n\r\n', 400],
    ['a header with a NUL', 'GET / HTTP/1.1\r\nHost: x\r\nA: \0\r\n\r\n', 400],
    [
      'two lengths',
      'POST /api/qr-codes/draft HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
    ],
    ['endless headers', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(20 * KB)}\r\n\r\n`, 431],
  ])('%s is answered in the contract’s shape', async (_case, bytes, status) => {
    const answer = await rawAnswer(tessera.origin, bytes)
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(JSON.parse(answer.slice(answer.indexOf('{')))).toEqual({
      message: 'The request is malformed.',
      code: 'bad_request',
    })
  })
})

/** Percent-encodes a text; one with lone surrogates becomes bytes that are not UTF-8. */
function encoded(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80'
}
