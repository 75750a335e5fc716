import { describe, expect, it } from 'vitest'
import type { QrCode } from '#contract/codes/codes.ts'
import { formForOwnAccount } from '../../../src/client/codes/editor/open-form.ts'
import { openingOf, readForm } from '../../../src/client/codes/editor/reopened-form.ts'
import { valuesOf } from '../../../src/client/codes/editor/values.ts'
import type { KeptForm } from '../../../src/client/kept-form.ts'
import { HOUR_MS } from '../../../src/contract/time.ts'
import { PLAIN_ARTWORK } from '../../../src/qr/artwork/artwork.ts'

const NOW = Date.parse('2026-03-02T12:00:00Z')

const values: KeptForm['values'] = {
  ...valuesOf(undefined),
  name: 'Flyer',
  url: 'https://example.com/flyer',
  vanityUrl: 'summer',
  style: 'rounded',
  foregroundColor: '#1e40',
  ecc: 'H',
  compact: true,
  tags: ['Spring'],
}

const poster: KeptForm['code'] = { id: 'poster', name: 'Poster', version: 3 }

const keptForm = (change: Partial<KeptForm> = {}): KeptForm => ({
  userId: 'ada',
  at: NOW,
  code: poster,
  values,
  typed: ['name'],
  ...change,
})

describe('a kept form', () => {
  const read = (form: unknown, now = NOW) => readForm(JSON.stringify(form), 'ada', now)

  it('comes back as it was, half-typed colour and all', () => {
    expect(read(keptForm())).toEqual(keptForm())
  })

  it('belongs to one person only', () => {
    expect(read(keptForm({ userId: 'bob' }))).toBeNull()
  })

  it('belongs to one workspace only', () => {
    expect(read(keptForm({ userId: 'ada w-2' }))).toBeNull()
  })

  it('belongs to the first who signs in if it was begun without an account', () => {
    const begun = keptForm({ userId: null })
    for (const user of ['ada', 'bob']) {
      expect(readForm(JSON.stringify(begun), user, NOW)).toEqual(begun)
    }
    expect(read(begun, NOW + HOUR_MS + 1)).toBeNull()
  })

  it('is kept for an hour', () => {
    expect(read(keptForm(), NOW + HOUR_MS)).not.toBeNull()
    expect(read(keptForm(), NOW + HOUR_MS + 1)).toBeNull()
  })

  it.each([
    ['nothing', null],
    ['no JSON', '{"userId":"ada"'],
    ['another shape', '{"userId":"ada","at":0}'],
    ['another style', JSON.stringify({ ...keptForm(), values: { ...values, style: 'wild' } })],
    ['an unknown field', JSON.stringify({ ...keptForm(), typed: ['__proto__'] })],
  ])('is ignored if %s is stored', (_, text) => {
    expect(readForm(text, 'ada', NOW)).toBeNull()
  })
})

describe('the form that opens again', () => {
  const now = { ...values, foregroundColor: '#000000', url: 'https://example.com/new' }
  const poster = { ...now, id: 'poster', name: 'Poster', version: 5 } as QrCode

  it('edits the same code, with what was typed and nothing else', () => {
    const { code, typed, notice } = openingOf(keptForm({ typed: ['name', 'ecc'] }), poster, true)
    expect(code).toBe(poster)
    expect(typed).toEqual({ name: 'Flyer', ecc: 'H' })
    expect(notice).toBe('We kept what you typed. Save it to keep it.')
  })

  it('keeps the version of the code that was edited', () => {
    expect(openingOf(keptForm({ typed: ['name', 'url'] }), poster, true).version).toBe(3)
  })

  it('continues a form that was begun without an account, and says so', () => {
    const begun = keptForm({ userId: null, code: null, typed: ['name', 'url'] })
    const { code, typed, notice } = openingOf(begun, null, false)
    expect(code).toBeNull()
    expect(typed).toEqual({ name: 'Flyer', url: 'https://example.com/flyer' })
    expect(notice).toBe('Here’s the code you started. Save it to keep it.')
  })

  it('makes a new code of all fields but the path if the code was deleted', () => {
    const { code, typed, notice } = openingOf(keptForm(), null, true)
    const { vanityUrl: _, ...rest } = values
    expect(code).toBeNull()
    expect(typed).toEqual(rest)
    expect(notice).toBe(
      '“Poster” was deleted in the meantime, so what you typed is here as a new QR code.',
    )
    expect(openingOf(keptForm({ typed: ['vanityUrl'] }), null, true).typed).toEqual(values)
  })

  it('leaves out a path that the plan no longer allows, and says nothing if nothing is left', () => {
    const form = keptForm({ typed: ['name', 'vanityUrl'] })
    expect(openingOf(form, poster, false).typed).toEqual({ name: 'Flyer' })
    expect(openingOf(keptForm({ typed: ['vanityUrl'] }), poster, false)).toMatchObject({
      typed: {},
      notice: null,
    })
  })
})

it('a form of the live demo goes on in another account, without the demo’s own path and logo', () => {
  const logo = { id: 'x'.repeat(20), size: 5, plate: 'none', margin: 1 } as const
  const artwork = { ...PLAIN_ARTWORK, logo }
  const kept = formForOwnAccount({ ...values, artwork }, NOW)
  expect(readForm(JSON.stringify(kept), 'ada', NOW)).toMatchObject({
    userId: null,
    code: null,
    values: { name: 'Flyer', vanityUrl: '', artwork: null },
  })
  expect(kept.typed).not.toContain('vanityUrl')
})
