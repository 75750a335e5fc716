import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { decodePicture } from '../support/decode.ts'
import { rawBytes } from '../support/raw-bytes.ts'
import { runTessera } from '../support/tessera.ts'

const PUBLIC_URL = 'https://qr.example.com'

describe('the landing page of a service', () => {
  const environment = {
    PUBLIC_URL,
    SUPPORT_EMAIL: 'help@example.com',
    PRIVACY_URL: 'https://example.com/privacy?a=1&b=2',
    TERMS_URL: 'https://example.com/terms',
    BLOG_URL: 'https://example.com/blog',
    CAREERS_URL: 'https://example.com/jobs',
  }
  const tessera = runTessera({ environment, hasLanding: true })
  let html: string
  const read = async (path: string) => {
    const response = await fetch(`${tessera.origin}${path}`)
    expect(response.status, path).toBe(200)
    return response
  }
  /** The value of an attribute in the tag that matches. */
  const inTag = (tag: RegExp, attribute: string) =>
    new RegExp(`${attribute}="([^"]*)"`).exec(tag.exec(html)?.[0] ?? '')?.[1]

  beforeAll(async () => {
    html = await (await read('/')).text()
  })

  test('names its address and its picture for messages', async () => {
    expect(inTag(/<link rel="canonical"[^>]*>/, 'href')).toBe(`${PUBLIC_URL}/`)
    expect(inTag(/<meta property="og:url"[^>]*>/, 'content')).toBe(`${PUBLIC_URL}/`)
    const picture = inTag(/<meta property="og:image"[^>]*>/, 'content')
    expect(picture).toBe(`${PUBLIC_URL}/social.png`)
    const bytes = await (await read('/social.png')).arrayBuffer()
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 1200, height: 630 })
    const { headers } = await read('/social.png')
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(html).not.toContain('.invalid')
  })

  test('links the operator’s own pages, and ours say so', async () => {
    const { SUPPORT_EMAIL, PRIVACY_URL, TERMS_URL, BLOG_URL, CAREERS_URL } = environment
    for (const address of [TERMS_URL, BLOG_URL, CAREERS_URL, `mailto:${SUPPORT_EMAIL}`]) {
      expect(html).toContain(`href="${address}"`)
    }
    expect(html).toContain(`href="${PRIVACY_URL.replace('&', '&amp;')}"`)
    const textOf = async (page: string) => (await read(`/api/${page}`)).text()
    expect(await textOf('contact')).toContain(`mailto:${SUPPORT_EMAIL}`)
    for (const page of ['privacy', 'terms']) {
      expect(await textOf(page)).toContain('href="https://example.com/')
    }
  })

  test.each(['menu', 'poster', 'packaging'])(
    'has a printed %s whose code leads to its own address',
    async (thing) => {
      const response = await read(`/pictures/printed-${thing}.svg`)
      expect(response.headers.get('content-type')).toMatch(/^image\/svg\+xml/)
      const picture = sharp(await response.arrayBuffer()).png()
      expect(await decodePicture(await picture.toBuffer())).toBe(`${PUBLIC_URL}/`)
    },
  )

  test('answers the same links by API', async () => {
    expect(await (await read('/api/config')).json()).toMatchObject({
      supportEmail: 'help@example.com',
      privacyUrl: 'https://example.com/privacy?a=1&b=2',
      termsUrl: 'https://example.com/terms',
    })
  })

  test('names its one page and the closed ones to search engines', async () => {
    const robots = await read('/robots.txt')
    expect(robots.headers.get('content-type')).toMatch(/^text\/plain/)
    const lines = (await robots.text()).split('\n')
    expect(lines).toContain(`Sitemap: ${PUBLIC_URL}/sitemap.xml`)
    for (const path of ['/api/', '/dashboard', '/profile', '/subscription']) {
      expect(lines).toContain(`Disallow: ${path}`)
    }
    expect(lines).not.toContain('Disallow: /')
    const sitemap = await read('/sitemap.xml')
    expect(sitemap.headers.get('content-type')).toMatch(/^application\/xml/)
    const found = [...(await sitemap.text()).matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, at]) => at)
    expect(found).toEqual([`${PUBLIC_URL}/`])
  })

  test('tells language models where they can read, in places that are there and open', async () => {
    const text = await (await read('/llms.txt')).text()
    expect(text).toMatch(/^# Tessera\n\n> Dynamic QR codes/)
    const links = [...text.matchAll(/^- \[[^\]]+\]\(([^)]+)\): \S/gm)].map(([, at = '']) => at)
    expect(links).toHaveLength(6)
    for (const link of links) {
      expect(link.startsWith(`${PUBLIC_URL}/`), link).toBe(true)
      // The MCP server answers only POST.
      if (!link.endsWith('/api/mcp')) await read(link.slice(PUBLIC_URL.length))
    }
    const robots = (await (await read('/robots.txt')).text()).split('\n')
    expect(robots).toContain('Allow: /api/docs')
  })

  test('can be put on a home screen, with icons of the sizes that it names', async () => {
    const response = await read(inTag(/<link rel="manifest"[^>]*>/, 'href') ?? '')
    expect(response.headers.get('content-type')).toMatch(/^application\/manifest\+json/)
    const manifest = await response.json()
    expect(manifest).toMatchObject({ name: 'Tessera', start_url: '/' })
    const apple = inTag(/<link rel="apple-touch-icon"[^>]*>/, 'href') ?? ''
    const icons = [...manifest.icons, { src: apple, sizes: '180x180' }]
    expect(icons.map(({ sizes }) => sizes)).toEqual(
      expect.arrayContaining(['192x192', '512x512', '180x180']),
    )
    for (const { src, sizes } of icons) {
      const { width, height } = await sharp(await (await read(src)).arrayBuffer()).metadata()
      expect(`${width}x${height}`).toBe(sizes)
    }
  })

  test('has an icon for clients that do not read the page', async () => {
    const icon = await read('/favicon.ico')
    expect(icon.headers.get('content-type')).toMatch(/^image\//)
    const bytes = Buffer.from(await icon.arrayBuffer())
    const { width, height } = await sharp(bytes.subarray(bytes.readUInt32LE(18))).metadata()
    expect([width, height]).toEqual([bytes[6], bytes[7]])
  })

  test('serves every picture that it offers', async () => {
    const offered = [...html.matchAll(/srcset="([^"]*)"/gi)].flatMap(([, set = '']) =>
      set.split(', ').map((candidate) => candidate.split(' ')),
    )
    expect(offered.length).toBeGreaterThan(8)
    const robots = await (await read('/robots.txt')).text()
    const closed = [...robots.matchAll(/^Disallow: (.*)$/gm)].map(([, prefix = '']) => prefix)
    for (const [path = '', width = ''] of offered) {
      expect(closed.filter((prefix) => path.startsWith(prefix))).toEqual([])
      const picture = await sharp(await (await read(path)).arrayBuffer()).metadata()
      expect(`${picture.width}w`, path).toBe(width)
    }
  })

  test.each([
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
    ['', undefined, (bytes: Buffer) => bytes],
  ])('is sent to a client that accepts “%s” as %s', async (accepted, coding, undo) => {
    const { headers, body } = await rawBytes(tessera.origin, accepted)
    expect(headers['content-encoding']).toBe(coding)
    expect(undo(body).toString()).toBe(html)
    expect(headers.vary).toMatch(/\bAccept-Encoding\b/i)
    if (coding) expect(body.length).toBeLessThan(html.length / 3)
  })
})
