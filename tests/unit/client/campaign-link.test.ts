import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { campaignOf, withCampaign } from '../../../src/client/codes/editor/campaign-link.ts'
import { utmParameters } from '../../../src/contract/analytics/figure-values.ts'
import { destinationOf } from '../../../src/contract/links.ts'

const EMPTY = { utm_source: '', utm_medium: '', utm_campaign: '', utm_term: '', utm_content: '' }

describe('the campaign of a link', () => {
  it('is read out of the link, as a server reads it', () => {
    expect(campaignOf('https://example.com/menu')).toEqual(EMPTY)
    const link =
      'https://example.com/?utm_source=table+tent&a=1&utm_term=&utm_campaign=caf%C3%A9%20%26%20bar#utm_medium=x'
    const campaign = { utm_source: 'table tent', utm_campaign: 'café & bar' }
    expect(campaignOf(link)).toEqual({ ...EMPTY, ...campaign })
    expect(campaignOf('https://example.com/?utm_source=a&utm_source=b').utm_source).toBe('a')
    expect(campaignOf('https://example.com/?utm_source=100%&?=1').utm_source).toBe('100%')
  })

  it('is written into the link, before what follows the #', () => {
    const one = withCampaign('https://example.com/#map', 'utm_source', 'table tent & bar')
    expect(one).toBe('https://example.com/?utm_source=table%20tent%20%26%20bar#map')
    const two = withCampaign(one, 'utm_medium', 'print')
    const wanted = 'https://example.com/?utm_source=table%20tent%20%26%20bar&utm_medium=print#map'
    expect(two).toBe(wanted)
    expect(withCampaign(two, 'utm_source', 'flyer')).toBe(
      'https://example.com/?utm_source=flyer&utm_medium=print#map',
    )
  })

  it('changes nothing else: encoded, repeated and empty parameters stay as they are written', () => {
    const link = 'https://example.com/?a=%7e&&b=&utm_term=&c&a=2&q=x+y%20z?#/route?utm_source=x'
    const changed = withCampaign(link, 'utm_source', 'flyer')
    expect(changed).toBe(link.replace('z?#', 'z?&utm_source=flyer#'))
    expect(withCampaign(changed, 'utm_source', '')).toBe(link)
  })

  it('has a value once: a repetition goes when the value changes, and stays until then', () => {
    const link = 'https://example.com/?utm_source=a&x=1&utm_source=b'
    expect(withCampaign(link, 'utm_source', 'c')).toBe('https://example.com/?utm_source=c&x=1')
    expect(withCampaign(link, 'utm_source', '')).toBe('https://example.com/?x=1')
    expect(withCampaign(link, 'utm_source', 'a')).toBe(link)
    const other = withCampaign(link, 'utm_medium', 'print')
    expect(other).toBe(`${link}&utm_medium=print`)
  })

  it('comes back from any link as it was written, also after the link was saved, and goes without a trace', () => {
    const parameter = fc.stringMatching(/^[a-z%=+?/.[\]0-9]{0,8}$/)
    const links = fc
      .tuple(fc.array(parameter, { maxLength: 5 }), fc.stringMatching(/^[a-z?=&/]{0,8}$/))
      .map(([parameters, fragment]) => {
        const query = parameters.join('&')
        return `https://example.com/menu${query && `?${query}`}${fragment && `#${fragment}`}`
      })
    const values = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(links, fc.constantFrom(...utmParameters), values, (link, field, value) => {
        const written = withCampaign(link, field, value)
        expect(campaignOf(written)[field]).toBe(value)
        expect(withCampaign(written, field, '')).toBe(link)
        const saved = destinationOf(written)
        expect(saved && campaignOf(saved)[field]).toBe(value)
      }),
    )
  })
})
