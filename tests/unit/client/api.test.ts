import { onlineManager } from '@tanstack/react-query'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ApiError, isUnauthorized, request } from '../../../src/client/api.ts'
import { drawnFor } from '../../../src/client/page-owner.ts'
import { pathOf, queryClient } from '../../../src/client/query-client.ts'

describe('an API error', () => {
  it('says status, colon, space and the body as it came', () => {
    expect(new ApiError(418, "I'm a teapot", 'short and stout').message).toBe(
      '418: short and stout',
    )
  })

  it('says the status text if the body is empty', () => {
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

  function answering() {
    const fetch = vi.fn(async (_path: string, _init: RequestInit) => new Response('{}'))
    vi.stubGlobal('fetch', fetch)
    return fetch
  }

  it('carries the cookies', async () => {
    const fetch = answering()
    await request('GET', '/api/config')
    expect(fetch.mock.calls[0]).toMatchObject(['/api/config', { credentials: 'include' }])
  })

  it('names the user whom the page was drawn for, once that is known', async () => {
    const fetch = answering()
    await request('GET', '/api/auth/user')
    drawnFor('ada')
    drawnFor('bob')
    await request('PATCH', '/api/qr-codes/1', {}, { 'If-Match': '"3"' })
    expect(fetch.mock.calls[0]?.[1].headers).toEqual({})
    expect(fetch.mock.calls[1]?.[1].headers).toEqual({
      'Content-Type': 'application/json',
      'If-Match': '"3"',
      'x-tessera-user': 'ada',
    })
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

  it('is not a wrong password, another status, or null', () => {
    const wrong = '{"message":"Wrong password","code":"invalid_credentials"}'
    expect(isUnauthorized(new ApiError(401, 'Unauthorized', wrong))).toBe(false)
    expect(isUnauthorized(new ApiError(403, 'Forbidden', unauthorized))).toBe(false)
    expect(isUnauthorized(null)).toBe(false)
  })
})

describe('without a network', () => {
  afterEach(() => {
    onlineManager.setOnline(true)
    vi.unstubAllGlobals()
  })

  it('queries and changes fail at once, and nothing is sent when it is back', async () => {
    onlineManager.setOnline(false)
    const fetch = vi.fn().mockRejectedValue(new TypeError('Failed to fetch'))
    vi.stubGlobal('fetch', fetch)
    const mutationFn = () => request('DELETE', '/api/qr-codes/1')
    const change = queryClient.getMutationCache().build(queryClient, { mutationFn })
    await expect(change.execute(undefined)).rejects.toThrow('Failed to fetch')
    await expect(queryClient.fetchQuery({ queryKey: ['/api/config'] })).rejects.toThrow()
    onlineManager.setOnline(true)
    await queryClient.resumePausedMutations()
    expect(fetch).toHaveBeenCalledTimes(2)
  })
})

it('forms the path of a query from the parts of its key', () => {
  expect(pathOf(['/api/analytics/qr-code', 'abc?tz=UTC'])).toBe('/api/analytics/qr-code/abc?tz=UTC')
})
