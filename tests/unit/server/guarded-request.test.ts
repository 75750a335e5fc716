import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { hasFailed, healthOf } from '../../../src/server/codes/health/judge.ts'
import { guardedRequests, whyNot } from '../../../src/server/http/guarded-request.ts'
import { runTlsServer, tls } from '../../support/tls-server.ts'

const server = runTlsServer(({ url }, response) => {
  if (url === '/half') response.writeHead(200).write('begins')
})
const allow = ['127.0.0.1', '::1']
const { signal } = new AbortController()

test('a server that takes too long has not answered, which says nothing of its page', async () => {
  const request = guardedRequests({ allow, tls, patienceMs: 50 })
  const url = new URL(`${server.origin}/never`)
  const error = await request(url, { signal }).catch((problem) => problem)
  expect(whyNot(error)).toBe('No answer within 10 seconds')
  const answer = { status: null, reason: error.code, seen: '' }
  expect([healthOf(answer), hasFailed(answer)]).toEqual(['unclear', true])
})

test('an answer that never ends is cut off', async () => {
  const request = guardedRequests({ allow, tls, patienceMs: 300 })
  const response = await request(new URL(`${server.origin}/half`), { signal })
  await expect(text(response)).rejects.toThrow()
})

test('a request ends with its signal', async () => {
  const request = guardedRequests({ allow, tls })
  const asked = { signal: AbortSignal.timeout(50) }
  await expect(request(new URL(`${server.origin}/never`), asked)).rejects.toThrow('aborted')
})
