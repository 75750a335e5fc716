import { describe, expect, test } from 'vitest'
import { runTessera } from '../support/tessera.ts'

describe('a server whose operator has set nothing', () => {
  const tessera = runTessera({ hasLanding: true })
  const read = async (path: string, headers = {}) => {
    const response = await fetch(tessera.origin + path, { headers })
    return { response, html: await response.text() }
  }

  test('has a page behind every entry of the footer, but for those with nothing to say', async () => {
    const { html } = await read('/')
    const footer = html.slice(html.indexOf('<footer'))
    const entries = [...footer.matchAll(/<li>(?:<a href="([^"]*)">|<span>)([^<]*)</g)]
    expect(entries.map(([, , text]) => text)).toEqual([
      ...['Features', 'Pricing', 'API Docs', 'Integrations'],
      ...['About', 'Blog', 'Careers', 'Contact'],
      ...['Help Center', 'Privacy Policy', 'Terms of Service', 'Status'],
    ])
    const bare = entries.filter(([, href]) => href === undefined).map(([, , text]) => text)
    expect(bare).toEqual(['Blog', 'Careers', 'Contact'])
    for (const [, href, text] of entries) {
      if (!href?.startsWith('/')) continue
      const { response, html } = await read(href)
      expect([text, response.status]).toEqual([text, 200])
      expect(html).toMatch(`<title>${text}`)
      expect(html).toMatch(/<a class="[^"]*" href="\/">/)
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    }
  })

  test.each(['contact', 'help'])('promises no support at /api/%s', async (page) => {
    const { html } = await read(`/api/${page}`)
    expect(html).toContain('has no support address')
    expect(html).not.toContain('mailto:')
  })

  test('lists what a long page says, and each entry leads there', async () => {
    const { html } = await read('/api/help')
    const anchors = [...html.matchAll(/<a href="#([^"]*)"/g)].map(([, id]) => id)
    expect(anchors.length).toBeGreaterThan(20)
    for (const id of anchors) expect(html).toContain(`<h2 id="${id}">`)
    expect((await read('/api/terms')).html).not.toContain('On this page')
  })

  test.each(['figtree', 'bricolage-grotesque'])('sends the font %s to its pages', async (font) => {
    const { response } = await read(`/fonts/${font}.woff2`)
    expect(response.url).toContain(`/assets/${font}-latin-wght-normal-`)
    expect(response.headers.get('content-type')).toBe('font/woff2')
  })

  test('says what the software stores if the operator has no policy', async () => {
    const { html } = await read('/api/privacy')
    expect(html).toContain('We don’t store the IP address itself')
    expect(html).toContain('deleted after 13 months')
  })

  test('shows its status and version', async () => {
    const { html } = await read('/api/status')
    expect(html).toContain('Everything is working.')
    expect(html).toContain('<dt>Dashboard</dt><dd>Working</dd>')
    expect(html).toContain('<dt>Scans waiting to be counted</dt><dd>0</dd>')
    expect(html).toMatch(/<dt>Version<\/dt><dd>\d+\.\d+\.\d+<\/dd>/)
  })

  test.each([
    ['de-DE,de;q=0.9,en;q=0.8', '10.000 rows'],
    ['fr-FR;q=0.5', '10\u202f000 rows'],
    ['not a language;;q=x', '10,000 rows'],
  ])('writes numbers as a browser asks for by "%s"', async (accepted, rows) => {
    const { response, html } = await read('/api/help', { 'accept-language': accepted })
    expect(html).toContain(rows)
    expect(response.headers.get('vary')).toContain('Accept-Language')
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  test('answers a person whose address leads nowhere with a page, and a program as ever', async () => {
    const { response, html } = await read('/api/blog', { accept: 'text/html,*/*;q=0.8' })
    expect([response.status, response.headers.get('cache-control')]).toEqual([404, 'no-store'])
    expect(html).toContain('<h1>Page not found</h1>')
    expect(JSON.parse((await read('/api/blog')).html).code).toBe('not_found')
    const signedOut = await read('/api/account/export', { accept: 'text/html' })
    expect(signedOut.response.status).toBe(401)
    expect(signedOut.html).toContain('<a class="go" href="/api/login">Log In</a>')
  })

  test('has no live demo', async () => {
    expect((await read('/')).html).not.toContain('Open the live demo')
    expect((await fetch(`${tessera.origin}/api/demo`, { method: 'POST' })).status).toBe(404)
  })
})
