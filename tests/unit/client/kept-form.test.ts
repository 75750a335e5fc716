import { describe, expect, it } from 'vitest'
import type { QrCode } from '#contract/codes.ts'
import { readForm } from '../../../src/client/codes/editor/kept-form-reading.ts'
import { reopeningOf } from '../../../src/client/codes/editor/reopening.ts'
import type { KeptForm } from '../../../src/client/kept-form.ts'

const NOW = Date.parse('2026-03-02T12:00:00Z')
const HOUR_MS = 3_600_000

const values: KeptForm['values'] = {
  ...{ name: 'Flyer', url: 'https://example.com/flyer', vanityUrl: 'summer', style: 'rounded' },
  ...{ foregroundColor: '#1e40', backgroundColor: '#FFFFFF', ecc: 'H', compact: true },
}

const keptForm = (change: Partial<KeptForm> = {}): KeptForm => ({
  ...{ userId: 'ada', at: NOW, code: { id: 'poster', name: 'Poster' }, values },
  typed: ['name'],
  ...change,
})

describe('a form that was put by', () => {
  const read = (form: unknown, now = NOW) => readForm(JSON.stringify(form), 'ada', now)

  it('comes back as it was, half-typed colour and all', () => {
    expect(read(keptForm())).toEqual(keptForm())
  })

  it('is its own person’s only', () => {
    expect(read(keptForm({ userId: 'bob' }))).toBeNull()
  })

  it('is whoever’s signs in first where it was begun without an account', () => {
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
  ])('is passed over where %s is stored', (_, text) => {
    expect(readForm(text, 'ada', NOW)).toBeNull()
  })
})

describe('the dialog that opens again', () => {
  const poster = { id: 'poster', name: 'Poster' } as QrCode

  it('edits the same code, with what was typed and nothing else', () => {
    const { code, typed, notice } = reopeningOf(
      keptForm({ typed: ['name', 'ecc'] }),
      [poster],
      true,
    )
    expect(code).toBe(poster)
    expect(typed).toEqual({ name: 'Flyer', ecc: 'H' })
    expect(notice).toContain('has not been saved yet')
  })

  it('says nothing where nothing was typed', () => {
    expect(reopeningOf(keptForm({ typed: [] }), [poster], true)).toMatchObject({
      ...{ typed: {}, notice: null },
    })
  })

  it('makes a new code of what was begun without an account, and says so', () => {
    const begun = keptForm({ userId: null, code: null, typed: ['name', 'url'] })
    const { code, typed, notice } = reopeningOf(begun, [poster], false)
    expect(code).toBeNull()
    expect(typed).toEqual({ name: 'Flyer', url: 'https://example.com/flyer' })
    expect(notice).toBe('Here is the code that you began. It has not been saved yet.')
  })

  it('makes a new code of all there was where the code has gone, but for its old path', () => {
    const { code, typed, notice } = reopeningOf(keptForm(), [], true)
    const { vanityUrl: _, ...rest } = values
    expect(code).toBeNull()
    expect(typed).toEqual(rest)
    expect(notice).toContain('“Poster” has been deleted meanwhile')
    expect(reopeningOf(keptForm({ typed: ['vanityUrl'] }), [], true).typed).toEqual(values)
  })

  it('leaves a path out that the plan no longer allows', () => {
    const form = keptForm({ typed: ['name', 'vanityUrl'] })
    expect(reopeningOf(form, [poster], false).typed).toEqual({ name: 'Flyer' })
  })
})
