import type { RequestListener } from 'node:http'
import { describe, expect, test } from 'vitest'
import { type DownloadLimits, download } from '../../../src/server/http/download.ts'
import { STEP_LIMIT_MS } from '../../support/limits.ts'
import { runTlsServer, tls } from '../../support/tls-server.ts'

const MAX = 1_000

describe('an address that a stranger chose', () => {
  const asked: string[] = []
  const limits: DownloadLimits = {
    maxBytes: MAX,
    patienceMs: STEP_LIMIT_MS,
    tls,
    allow: ['127.0.0.1', '::1'],
  }

  const answers: Record<string, RequestListener> = {
    '/picture': (_request, response) => response.end(Buffer.alloc(MAX, 7)),
    '/large': (_request, response) => response.end(Buffer.alloc(MAX + 1)),
    '/moved': (_request, response) => response.writeHead(302, { location: '/picture' }).end(),
    '/circle': (_request, response) => response.writeHead(302, { location: '/circle' }).end(),
    '/to-http': (_request, response) =>
      response.writeHead(302, { location: 'http://example.com/' }).end(),
    '/inside': (_request, response) =>
      response.writeHead(302, { location: 'https://169.254.169.254/latest/' }).end(),
    '/never': (_request, response) => response.writeHead(200).write('begins'),
  }
  const server = runTlsServer((request, response) => {
    asked.push(request.url ?? '')
    const answer = answers[request.url ?? '']
    if (answer) answer(request, response)
    else response.writeHead(404).end()
  })

  test('is fetched, also after a redirect', async () => {
    expect(await download(`${server.origin}/picture`, limits)).toEqual(Buffer.alloc(MAX, 7))
    expect(await download(`${server.origin}/moved`, limits)).toHaveLength(MAX)
  })

  test.each([
    ['/large', 'too large'],
    ['/circle', 'too many redirects'],
    ['/to-http', 'not https'],
    ['/inside', 'not a public address'],
    ['/missing', 'status 404'],
  ])('is refused at %s: %s', async (path, reason) => {
    await expect(download(server.origin + path, limits)).rejects.toThrow(reason)
  })

  test('is given up when it takes too long', async () => {
    await expect(
      download(`${server.origin}/never`, { ...limits, patienceMs: 50 }),
    ).rejects.toThrow()
  })

  test('is never asked of this machine or a network around it', async () => {
    const { allow: _, ...usual } = limits
    const port = new URL(server.origin).port
    asked.length = 0
    for (const host of ['localhost', '127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '2130706433']) {
      const address = `https://${host}:${port}/picture`
      await expect(download(address, usual), address).rejects.toThrow('not a public address')
    }
    expect(asked).toEqual([])
  })

  test.each([
    'http://example.com/a',
    'file:///etc/passwd',
    'data:,a',
    'https://a:b@example.com/',
    'a',
  ])('is not %s', async (address) => {
    await expect(download(address, limits)).rejects.toThrow('not https')
  })
})
