import { afterEach, describe, expect, it, vi } from 'vitest'
import { ApiError, isUnauthorized, request } from '../../../src/client/api.ts'
import { pathOf } from '../../../src/client/query-client.ts'

describe('an API error', () => {
  it('says status, colon, space and the body as it came', () => {
    expect(new ApiError(418, "I'm a teapot", 'short and stout').message).toBe(
      '418: short and stout',
    )
  })

  it('says the status text where the body is empty', () => {
    expect(new ApiError(502, 'Bad Gateway', '').message).toBe('502: Bad Gateway')
  })

  it('carries what the error body says', () => {
    const body = { message: 'Invalid input', code: 'invalid_input', fields: { url: 'Bad' } }
    const error = new ApiError(422, 'Unprocessable', JSON.stringify(body))
    expect(error).toMatchObject({
      status: 422,
      code: 'invalid_input',
      serverMessage: 'Invalid input',
      fields: { url: 'Bad' },
    })
  })

  it.each(['<html>502</html>', 'null', '"text"', '[]'])(
    'reads nothing out of the body %s',
    (body) => {
      expect(new ApiError(502, 'Bad Gateway', body)).toMatchObject({
        code: undefined,
        serverMessage: undefined,
        fields: {},
      })
    },
  )
})

describe('a call', () => {
  afterEach(() => vi.unstubAllGlobals())

  it('carries the cookies', async () => {
    const fetch = vi.fn(async (_path: string, _init: RequestInit) => new Response('{}'))
    vi.stubGlobal('fetch', fetch)
    await request('GET', '/api/config')
    expect(fetch.mock.calls[0]).toMatchObject(['/api/config', { credentials: 'include' }])
  })

  it('fails on any answer that is not OK', async () => {
    vi.stubGlobal('fetch', async () => new Response('out of ink', { status: 404 }))
    await expect(request('GET', '/api/config')).rejects.toThrow('404: out of ink')
  })
})

describe('the unauthorized error', () => {
  const unauthorized = '{"message":"Unauthorized","code":"unauthorized"}'

  it('starts with 401 and contains Unauthorized', () => {
    expect(isUnauthorized(new ApiError(401, 'Unauthorized', unauthorized))).toBe(true)
    expect(isUnauthorized(new ApiError(401, 'Unauthorized', ''))).toBe(true)
  })

  it('is not a wrong password, another status or no error at all', () => {
    const wrong = '{"message":"Wrong password","code":"invalid_credentials"}'
    expect(isUnauthorized(new ApiError(401, 'Unauthorized', wrong))).toBe(false)
    expect(isUnauthorized(new ApiError(403, 'Forbidden', unauthorized))).toBe(false)
    expect(isUnauthorized(null)).toBe(false)
  })
})

it('forms the path of a query from the parts of its key', () => {
  expect(pathOf(['/api/analytics/qr-code', 'abc?tz=UTC'])).toBe('/api/analytics/qr-code/abc?tz=UTC')
})
