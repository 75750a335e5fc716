import { describe, expect, it } from 'vitest'
import {
  addressOf,
  linkKindOf,
  providerAddress,
  stepOf,
} from '../../../src/client/accounts/sign-in/steps.ts'

describe('the sign-in page', () => {
  it('shows the step that its address names', () => {
    expect(stepOf('')).toBe('sign-in')
    expect(stepOf('?returnTo=%2Fprofile')).toBe('sign-in')
    expect(stepOf('?new')).toBe('sign-up')
    expect(stepOf('?step=code')).toBe('code')
    expect(stepOf('?link=verify-email')).toBe('link')
  })

  it('shows the sign-in step if an address names an unknown step or link', () => {
    for (const search of ['?step=admin', '?step=__proto__', '?link=toString', '?link']) {
      expect(stepOf(search), search).toBe('sign-in')
      expect(linkKindOf(search), search).toBeUndefined()
    }
  })

  it('leads from every step to the step that an address names', () => {
    for (const step of ['sign-in', 'sign-up', 'forgot', 'code', 'mail'] as const) {
      for (const search of ['', '?new', '?returnTo=%2F', '?step=mail', '?link=sign-in']) {
        const [path, query = ''] = addressOf(step, search).split('?')
        expect(path).toBe('/api/login')
        expect(stepOf(`?${query}`), `${step} after ${search}`).toBe(step)
      }
    }
  })

  it('keeps the page to return to, and drops the link and the failure', () => {
    const wanted = '/subscription?tier=starter&billing=annual'
    const search = `?error=provider&link=sign-in&returnTo=${encodeURIComponent(wanted)}`
    const next = new URLSearchParams(addressOf('forgot', search).split('?')[1])
    expect([...next]).toEqual([
      ['step', 'forgot'],
      ['returnTo', wanted],
    ])
  })

  it('never leads to another site by way of the provider', () => {
    expect(providerAddress('?returnTo=%2Fprofile')).toBe('/api/auth/provider?returnTo=%2Fprofile')
    for (const evil of ['https://evil.example', '//evil.example', '/.//evil.example', '\\\\evil']) {
      const search = `?returnTo=${encodeURIComponent(evil)}`
      expect(providerAddress(search), evil).toBe('/api/auth/provider?returnTo=%2F')
    }
  })
})
