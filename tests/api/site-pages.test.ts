import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { decodePicture } from '../support/decode.ts'
import { runTessera, type Tessera } from '../support/tessera.ts'

const PUBLIC_URL = 'https://qr.example.com'

const read = async (tessera: Tessera, path: string) => {
  const response = await fetch(`${tessera.origin}${path}`)
  return { response, html: await response.text() }
}

/** The text and target of each link in the landing page's footer. */
async function footerLinks(tessera: Tessera) {
  const { html } = await read(tessera, '/')
  const footer = html.slice(html.indexOf('<footer'))
  return new Map(
    [...footer.matchAll(/<a href="([^"]*)">([^<]*)<\/a>/g)].map(([, href = '', text = '']) => [
      text,
      href,
    ]),
  )
}

describe('a server whose operator has set nothing', () => {
  const tessera = runTessera({ hasLanding: true })

  test('has a page of its own behind every link of the footer', async () => {
    const links = await footerLinks(tessera)
    expect([...links.keys()]).toEqual([
      ...['Features', 'Pricing', 'API Docs', 'Integrations'],
      ...['About', 'Blog', 'Careers', 'Contact'],
      ...['Help Center', 'Privacy Policy', 'Terms of Service', 'Status'],
    ])
    for (const [text, href] of links) {
      if (href.startsWith('#')) continue
      const { response, html } = await read(tessera, href)
      expect([text, response.status]).toEqual([text, 200])
      expect(html).toMatch(`<title>${text}`)
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    }
  })

  test.each(['contact', 'help'])('promises no support at /api/%s', async (page) => {
    const { html } = await read(tessera, `/api/${page}`)
    expect(html).toContain('has named no support address')
    expect(html).not.toContain('mailto:')
  })

  test('says what the software stores where the operator has no policy', async () => {
    const { html } = await read(tessera, '/api/privacy')
    expect(html).toContain('published no policy')
    expect(html).toContain('The address itself is not stored')
    expect(html).toContain('deleted after 13 months')
  })

  test('tells its status from what it knows', async () => {
    const { html } = await read(tessera, '/api/status')
    expect(html).toContain('Everything works.')
    expect(html).toContain('<dt>Database</dt><dd>answers</dd>')
    expect(html).toContain('<dt>Scans on their way into the numbers</dt><dd>0</dd>')
    expect(html).toMatch(/<dt>Version<\/dt><dd>\d+\.\d+\.\d+<\/dd>/)
  })

  test('has no live demo', async () => {
    expect((await read(tessera, '/')).html).not.toContain('Open the live demo')
    expect((await fetch(`${tessera.origin}/api/demo`, { method: 'POST' })).status).toBe(404)
  })
})

describe('a server whose operator has set everything', () => {
  const environment = {
    PUBLIC_URL,
    SUPPORT_EMAIL: 'help@example.com',
    PRIVACY_URL: 'https://example.com/privacy',
    TERMS_URL: 'https://example.com/terms',
    BLOG_URL: 'https://example.com/blog',
    CAREERS_URL: 'https://example.com/jobs',
  }
  const tessera = runTessera({ environment, hasLanding: true })

  test('links the operator’s own pages, and says so on ours', async () => {
    const links = await footerLinks(tessera)
    for (const [text, href] of [
      ['Contact', 'mailto:help@example.com'],
      ['Privacy Policy', environment.PRIVACY_URL],
      ['Terms of Service', environment.TERMS_URL],
      ['Blog', environment.BLOG_URL],
      ['Careers', environment.CAREERS_URL],
    ] as const) {
      expect(links.get(text)).toBe(href)
    }
    expect((await read(tessera, '/api/contact')).html).toContain('mailto:help@example.com')
    for (const page of ['privacy', 'terms', 'blog', 'careers']) {
      expect((await read(tessera, `/api/${page}`)).html).toContain('href="https://example.com/')
    }
  })

  test.each(['menu', 'poster', 'packaging'])(
    'has a printed %s whose code leads to its own start page',
    async (thing) => {
      const response = await fetch(`${tessera.origin}/pictures/printed-${thing}.svg`)
      expect(response.headers.get('content-type')).toMatch(/^image\/svg\+xml/)
      const picture = await sharp(await response.arrayBuffer())
        .png()
        .toBuffer()
      expect(await decodePicture(picture)).toBe(`${PUBLIC_URL}/`)
    },
  )
})
