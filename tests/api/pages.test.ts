import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { enrolPerson, Person } from '../support/person.ts'
import { rawBytes } from '../support/raw-bytes.ts'
import { runTessera } from '../support/tessera.ts'

const ASSETS = fileURLToPath(new URL('../../dist/client/assets', import.meta.url))

/** The directives of the policy by name. */
function policyOf(response: Response): Map<string, string[]> {
  const policy = response.headers.get('content-security-policy') ?? ''
  return new Map(
    policy.split(';').map((directive) => {
      const [name = '', ...sources] = directive.trim().split(/\s+/)
      return [name, sources] as const
    }),
  )
}

describe('pages', () => {
  const tessera = runTessera({ hasLanding: true })
  const visitor = new Person(tessera, '')
  const member = enrolPerson(tessera)
  let pages: Record<'landing' | 'app' | 'sign-in', string>
  beforeAll(async () => {
    pages = {
      landing: await (await visitor.call('/')).text(),
      app: await (await member.call('/')).text(),
      'sign-in': await (await visitor.call('/api/login')).text(),
    }
  })

  test('the start page is the landing page for visitors and the app for members', async () => {
    expect(pages.landing).toContain('Create &amp; Manage QR Codes Like a Pro')
    expect(pages.app).not.toContain('Like a Pro')
    for (const person of [visitor, member]) {
      const response = await person.call('/')
      await response.text()
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(response.headers.get('vary')).toMatch(/\bCookie\b/i)
      expect(response.headers.get('cache-control')).toBe('no-store')
    }
    const headers = { cookie: 'tessera_session=forged.signature' }
    expect(await (await visitor.call('/', { headers })).text()).toBe(pages.landing)
  })

  test('a screen names the calls that it begins with; the landing page and the 404 page make none', async () => {
    const linksOf = async (person: Person, path: string) => {
      const response = await person.call(path)
      await response.text()
      return response.headers.get('link')
    }
    for (const path of ['/', '/dashboard', '/profile', '/subscription']) {
      expect(await linksOf(member, path)).toMatch(/^<\/api\/auth\/user>.*, <\/api\/config>/)
    }
    expect(await linksOf(visitor, '/')).toBeNull()
    expect(await linksOf(member, '/nowhere')).toBeNull()
  })

  test.each([
    '/dashboard',
    '/profile',
    '/subscription',
    '/subscription?tier=starter&billing=annual',
  ])('%s is the app for visitors and members', async (path) => {
    for (const person of [visitor, member]) {
      const response = await person.call(path)
      expect(response.status).toBe(200)
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(await response.text()).toBe(pages.app)
    }
  })

  test.each([
    '/nothing',
    '/apiary',
    '/app.html',
    '/assets/',
    '/assets/nothing.js',
    '/%00',
    '/..%2f..%2fpackage.json',
    '/%2e%2e/%2e%2e/package.json',
    `/${'x'.repeat(3000)}`,
  ])('%s is the 404 page', async (path) => {
    for (const method of ['GET', 'HEAD']) {
      const response = await visitor.call(path, { method })
      expect(response.status).toBe(404)
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(await response.text()).toBe(method === 'GET' ? pages.app : '')
    }
  })

  test('a page cannot be posted to', async () => {
    const response = await member.call('/dashboard', { method: 'POST' })
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({ message: 'Not found', code: 'not_found' })
  })

  test('assets are cached for ever, also for a range request', async () => {
    const [name] = readdirSync(ASSETS).filter((file) => file.endsWith('.js'))
    for (const range of ['', 'bytes=0-1', 'bytes=999999999-', 'nonsense']) {
      const response = await visitor.call(`/assets/${name}`, { headers: range ? { range } : {} })
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toMatch(/javascript/)
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      await response.arrayBuffer()
    }
  })

  describe('an asset', () => {
    const scripts = readdirSync(ASSETS).filter((file) => file.endsWith('.js'))
    const styles = readdirSync(ASSETS).filter((file) => file.endsWith('.css'))
    const asset = `assets/${scripts.find((file) => file.startsWith('app-'))}`
    const undo: Record<string, (bytes: Buffer) => Buffer> = {
      br: brotliDecompressSync,
      gzip: gunzipSync,
      identity: (bytes) => bytes,
    }

    test.each([
      ['gzip, deflate, br, zstd', 'br'],
      ['br;q=0, gzip', 'gzip'],
      ['', 'identity'],
      ['nonsense;;,q=', 'identity'],
    ])('is sent to a client that accepts "%s" as %s', async (accepted, encoding) => {
      const plain = readFileSync(`${ASSETS}/../${asset}`)
      const { status, headers, body } = await rawBytes(`${tessera.origin}/${asset}`, accepted)
      expect(status).toBe(200)
      expect(headers['content-encoding'] ?? 'identity').toBe(encoding)
      expect(undo[encoding]?.(body).equals(plain)).toBe(true)
      if (encoding !== 'identity') expect(body.length).toBeLessThan(plain.length / 2)
      expect(headers['content-length']).toBe(String(body.length))
      expect(headers['content-type']).toMatch(/javascript/)
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
      expect(headers.vary).toMatch(/\bAccept-Encoding\b/i)
    })

    test('has the same headers for HEAD and GET', async () => {
      const url = `${tessera.origin}/${asset}`
      const sent = await rawBytes(url, 'br')
      const described = await rawBytes(url, 'br', 'HEAD')
      expect(described.body.length).toBe(0)
      for (const name of ['content-encoding', 'content-length', 'content-type', 'vary', 'etag']) {
        expect(described.headers[name]).toBe(sent.headers[name])
      }
    })

    test('is compressed by the build, scripts and styles alike', () => {
      expect(styles.length).toBeGreaterThan(0)
      for (const name of [...scripts, ...styles]) {
        const plain = readFileSync(`${ASSETS}/${name}`)
        const compressed = readdirSync(ASSETS).filter((file) => file.startsWith(`${name}.`))
        if (plain.length > 1000) expect(compressed.toSorted()).toEqual([`${name}.br`, `${name}.gz`])
      }
    })

    test.each(['br', 'gz'])('has no address for its compressed form .%s', async (ending) => {
      for (const accepted of ['br', 'gzip', 'identity']) {
        const { status, headers } = await rawBytes(`${tessera.origin}/${asset}.${ending}`, accepted)
        expect(status).toBe(404)
        expect(headers['content-type']).toBe('text/html; charset=utf-8')
      }
    })
  })

  test('fonts and pictures are sent as they are', async () => {
    const font = readdirSync(ASSETS).find((file) => file.endsWith('.woff2'))
    const { status, headers } = await rawBytes(`${tessera.origin}/assets/${font}`, 'br, gzip')
    expect(status).toBe(200)
    expect(headers['content-encoding']).toBeUndefined()
    expect(headers['content-type']).toBe('font/woff2')
  })

  test.each(['/', '/dashboard', '/nothing', '/api/login', '/api/config'])(
    '%s has the security headers',
    async (path) => {
      const response = await visitor.call(path)
      await response.text()
      const policy = policyOf(response)
      expect(policy.get('default-src')).toEqual(["'self'"])
      expect(policy.get('frame-ancestors')).toEqual(["'none'"])
      expect(policy.get('object-src')).toEqual(["'none'"])
      expect(policy.get('base-uri')).toEqual(["'none'"])
      expect(policy.get('form-action')).toEqual(["'self'"])
      const scripts = policy.get('script-src') ?? []
      expect(scripts).toContain("'wasm-unsafe-eval'")
      expect(scripts).not.toContain("'unsafe-inline'")
      expect(scripts).not.toContain("'unsafe-eval'")
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      expect(response.headers.get('x-frame-options')).toBe('DENY')
      expect(response.headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin')
      expect(response.headers.get('strict-transport-security')).toBeNull()
      expect(response.headers.get('x-powered-by')).toBeNull()
    },
  )

  test('the policy allows every inline script of the pages', async () => {
    const response = await visitor.call('/')
    await response.text()
    const policy = response.headers.get('content-security-policy') ?? ''
    const script = /<script(?![^>]*\bsrc=)(?![^>]*json)[^>]*>([\s\S]*?)<\/script>/g
    for (const html of Object.values(pages)) {
      for (const [, text = ''] of html.matchAll(script)) {
        const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
        expect(policy).toContain(`'sha256-${Buffer.from(digest).toString('base64')}'`)
      }
    }
  })
})
