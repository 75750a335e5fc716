import { describe, expect, it } from 'vitest'
import { nameFor, readLink } from '../../../src/client/landing/typed-link.ts'
import { destination } from '../../../src/contract/codes/destination.ts'

describe('a link typed into the landing page', () => {
  it.each([
    ['https://example.com/menu', 'https://example.com/menu'],
    ['  http://example.com  ', 'http://example.com'],
    ['HTTPS://Example.com/Menu', 'HTTPS://Example.com/Menu'],
    ['example.com/menu?table=4#wine', 'https://example.com/menu?table=4#wine'],
    ['example.com:8080', 'https://example.com:8080'],
    ['192.168.0.7/menu', 'https://192.168.0.7/menu'],
    ['https://example.com/café', 'https://example.com/caf%C3%A9'],
    ['münchen.example', 'https://xn--mnchen-3ya.example/'],
    [`https://example.com/${'./'.repeat(1_200)}`, 'https://example.com/'],
  ])('“%.40s” leads to %s', (typed, link) => {
    expect(readLink(typed)).toMatchObject({ link, problem: null })
    expect(destination.safeParse(link).success).toBe(true)
  })

  it.each([
    ['hello', /^This link isn’t complete/],
    ['https://', /^This link isn’t complete/],
    ['http:example.com', /^This link isn’t complete/],
    ['the menu.pdf', /^This link isn’t complete/],
    ['mailto:ada@example.com', /^Enter a web address/],
    ['javascript:alert(1)', /^Enter a web address/],
    ['tel:+4930123456', /^Enter a web address/],
    ['https://ada:secret@example.com', /^Remove the username/],
    [`https://example.com/${'x'.repeat(2_048)}`, /^This link is too long/],
  ])('“%.40s” is not a link, and the reason is said', (typed, problem) => {
    expect(readLink(typed)).toEqual({
      link: null,
      shown: null,
      problem: expect.stringMatching(problem),
    })
  })

  it('is not judged while it is empty', () => {
    expect(readLink(' ')).toEqual({ link: null, shown: null, problem: null })
  })

  it('is shown as people write it', () => {
    expect(readLink('münchen.example/käse').shown).toBe('https://münchen.example/käse')
    expect(readLink('https://example.com/menu').shown).toBe('https://example.com/menu')
  })

  it.each([
    ['https://www.Cafe-Luna.example/menu', 'cafe-luna.example'],
    ['https://münchen.example:8080', 'münchen.example'],
    ['mailto:ada@example.com', ''],
    ['the menu', ''],
  ])('names the code of “%s” by its host', (link, name) => {
    expect(nameFor(link)).toBe(name)
  })
})
