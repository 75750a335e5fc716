import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import pino from 'pino'
import { afterAll, describe, expect, test } from 'vitest'
import { errorTable } from '../../../src/contract/errors.ts'
import { z } from '../../../src/contract/zod.ts'
import { readConfig } from '../../../src/server/config.ts'
import { isDatabaseDown } from '../../../src/server/database/faults.ts'
import { AppError, invalidInput, toAppError } from '../../../src/server/http/errors.ts'
import { createServer } from '../../../src/server/http/server.ts'

/** A server, and the errors that it logs. */
function loggedServer() {
  const lines: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) })
  return { server: createServer({ config: readConfig({}), log }), lines }
}

const withCode = (code: string, message = 'x') => Object.assign(new Error(message), { code })

describe('errors', () => {
  test('carry the status and the text of the contract’s table', () => {
    for (const [code, { status, message }] of Object.entries(errorTable)) {
      const error = new AppError(code as keyof typeof errorTable)
      expect([error.status, error.body]).toEqual([status, { message, code }])
    }
  })

  test('name each field once, with its first fault', () => {
    const error = invalidInput([
      { path: 'name', message: 'Name is required' },
      { path: 'name', message: 'again' },
      { path: 'url', message: 'Must be a valid URL' },
    ])
    expect(error.body).toEqual({
      message: 'Name is required',
      code: 'invalid_input',
      fields: { name: 'Name is required', url: 'Must be a valid URL' },
    })
  })

  test('name a field that is called __proto__', () => {
    const { body } = invalidInput([{ path: '__proto__', message: 'no' }])
    expect(JSON.stringify(body.fields)).toBe('{"__proto__":"no"}')
  })

  test('name no field where the input as a whole is at fault', () => {
    const { body } = invalidInput([{ path: '', message: 'expected object' }])
    expect(body).toEqual({ message: 'expected object', code: 'invalid_input' })
  })

  test.each([
    [{ statusCode: 413 }, 'body_too_large'],
    [{ statusCode: 415 }, 'unsupported_media_type'],
    [{ statusCode: 429 }, 'rate_limited'],
    [{ statusCode: 400 }, 'bad_request'],
    [{ statusCode: 418 }, 'bad_request'],
    [{ status: 416 }, 'bad_request'],
    [{ statusCode: 500 }, 'internal'],
    [{}, 'internal'],
    [undefined, 'internal'],
    ['thrown text', 'internal'],
  ])('%j becomes %s', (thrown, code) => {
    expect(toAppError(thrown).code).toBe(code)
  })

  test('hide the details of an unexpected error', () => {
    const { body } = toAppError(new Error('select * from users where secret'))
    expect(body).toEqual({ message: errorTable.internal.message, code: 'internal' })
  })

  test.each([
    'ECONNREFUSED',
    'ECONNRESET',
    '57P01',
    '53300',
    '08006',
    'SQLITE_BUSY',
    'SQLITE_FULL',
    'SQLITE_IOERR_WRITE',
    'THREAD_LOST',
  ])('%s is a database that cannot answer now', (code) => {
    expect(isDatabaseDown(withCode(code))).toBe(true)
    expect(toAppError(withCode(code)).code).toBe('unavailable')
  })

  test.each([
    '23505',
    '42P01',
    '22021',
    'SQLITE_CONSTRAINT',
    'SQLITE_ERROR',
    'ERR_INVALID_ARG_TYPE',
  ])('%s is a fault of ours', (code) => {
    expect(isDatabaseDown(withCode(code))).toBe(false)
  })
})

test('a client that hangs up in its request is no fault of ours, and is not logged', async () => {
  const { server, lines } = loggedServer()
  const hungUp = new Promise<Error>((resolve) => {
    server.addHook('onError', async (_request, _reply, error) => resolve(error))
  })
  server.post('/', async () => 'ok')
  await server.listen({ port: 0, host: '127.0.0.1' })
  try {
    const { port } = server.server.address() as AddressInfo
    const client = connect(port, '127.0.0.1')
    const head = ['POST / HTTP/1.1', 'Host: localhost', 'Content-Type: application/json']
    client.write([...head, 'Content-Length: 100', '', '{'].join('\r\n'))
    await once(server.server, 'request')
    client.destroy()
    expect(toAppError(await hungUp).status).toBe(400)
    await setImmediate()
    expect(lines).toEqual([])
  } finally {
    await server.close()
  }
})

describe('an answer with a schema', () => {
  const { server, lines } = loggedServer()
  const answers: Record<string, unknown> = {
    fits: { name: 'Menu' },
    'has too much': { name: 'Menu', secret: 'x' },
    'has too little': {},
    'has another type': { name: 7 },
  }
  const schema = { response: { 200: z.strictObject({ name: z.string() }) } }
  server.get('/:which', { schema }, async ({ params }) => {
    return answers[(params as { which: string }).which]
  })
  afterAll(() => server.close())

  test('is sent as it is', async () => {
    const answer = await server.inject('/fits')
    expect([answer.statusCode, answer.body]).toEqual([200, '{"name":"Menu"}'])
  })

  test.each(['has too much', 'has too little', 'has another type'])(
    'that %s becomes a logged 500, and is never cut',
    async (which) => {
      lines.length = 0
      const answer = await server.inject(`/${encodeURIComponent(which)}`)
      const { message } = errorTable.internal
      expect([answer.statusCode, answer.json()]).toEqual([500, { message, code: 'internal' }])
      expect(lines.join()).toMatch(/request failed/)
    },
  )
})
