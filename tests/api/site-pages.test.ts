import { describe, expect, test } from 'vitest'
import { runTessera } from '../support/tessera.ts'

describe('a server whose operator has set nothing', () => {
  const tessera = runTessera({ hasLanding: true })
  const read = async (path: string) => {
    const response = await fetch(tessera.origin + path)
    return { response, html: await response.text() }
  }

  test('has a page of its own behind every link of the footer', async () => {
    const { html } = await read('/')
    const footer = html.slice(html.indexOf('<footer'))
    const links = Array.from(footer.matchAll(/<a href="([^"]*)">([^<]*)<\/a>/g))
    expect(links.map(([, , text]) => text)).toEqual([
      ...['Features', 'Pricing', 'API Docs', 'Integrations'],
      ...['About', 'Blog', 'Careers', 'Contact'],
      ...['Help Center', 'Privacy Policy', 'Terms of Service', 'Status'],
    ])
    for (const [, href = '', text] of links) {
      if (href.startsWith('#')) continue
      const { response, html } = await read(href)
      expect([text, response.status]).toEqual([text, 200])
      expect(html).toMatch(`<title>${text}`)
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    }
  })

  test.each(['contact', 'help'])('promises no support at /api/%s', async (page) => {
    const { html } = await read(`/api/${page}`)
    expect(html).toContain('has named no support address')
    expect(html).not.toContain('mailto:')
  })

  test('says what the software stores where the operator has no policy', async () => {
    const { html } = await read('/api/privacy')
    expect(html).toContain('published no policy')
    expect(html).toContain('The address itself is not stored')
    expect(html).toContain('deleted after 13 months')
  })

  test('shows its status and version', async () => {
    const { html } = await read('/api/status')
    expect(html).toContain('Everything works.')
    expect(html).toContain('<dt>Database</dt><dd>answers</dd>')
    expect(html).toContain('<dt>Scans on their way into the numbers</dt><dd>0</dd>')
    expect(html).toMatch(/<dt>Version<\/dt><dd>\d+\.\d+\.\d+<\/dd>/)
  })

  test('has no live demo', async () => {
    expect((await read('/')).html).not.toContain('Open the live demo')
    expect((await fetch(`${tessera.origin}/api/demo`, { method: 'POST' })).status).toBe(404)
  })
})
