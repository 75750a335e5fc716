import { afterEach, describe, expect, it, vi } from 'vitest'
import type { QrCode } from '#contract/codes/codes.ts'
import { saveForm } from '../../../src/client/codes/editor/editor.ts'
import { shownValue } from '../../../src/client/codes/editor/form-panels.tsx'
import { differingFields, valuesOf } from '../../../src/client/codes/editor/values.ts'
import type { Values } from '../../../src/client/kept-form.ts'
import { sampleCode } from '../../support/sample-code.ts'

const code = { ...sampleCode, vanityUrl: null, version: 4 }
const known = valuesOf(code)

describe('the fields in which two forms differ', () => {
  it('are those that one side changed', () => {
    const mine = { ...known, name: 'Lunch' }
    const theirs = { ...known, url: 'https://example.com/new', tags: ['New'] }
    expect(differingFields(mine, theirs)).toEqual(['name', 'url', 'tags'])
  })

  it('are none if both say the same in another spelling', () => {
    const mine = {
      ...known,
      name: ' Lunch ',
      url: 'HTTPS://example.com',
      foregroundColor: '#1E40AF',
      tags: ['old', 'Bar'],
    }
    const theirs = { ...known, name: 'Lunch', foregroundColor: '#1e40af', tags: ['Bar', 'Old'] }
    expect(differingFields(mine, theirs)).toEqual([])
  })

  it('are shown in the words of the form', () => {
    const values: Values = { ...known, style: 'rounded', compact: true, backgroundColor: '#f0f9ff' }
    expect(shownValue('style', values)).toBe('Rounded')
    expect(shownValue('compact', values)).toBe('On')
    expect(shownValue('ecc', values)).toBe('Medium (15%)')
    expect(shownValue('vanityUrl', values)).toBe('Empty (auto-generated code)')
    expect(shownValue('backgroundColor', values)).toBe('#f0f9ff')
  })
})

describe('saving a form', () => {
  afterEach(() => vi.unstubAllGlobals())

  /** A server with the code as it is now. Returns what is sent to it. */
  function serve(now: QrCode) {
    const sent: { tag: string | undefined; body: Partial<QrCode> }[] = []
    vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
      if (init.method === 'GET') return Response.json(now)
      const tag = (init.headers as Record<string, string>)['If-Match']
      const body = JSON.parse(String(init.body))
      sent.push({ tag, body })
      if (tag === `"${now.version}"`) return Response.json({ ...now, ...body })
      return Response.json({ message: 'Changed', code: 'changed_elsewhere' }, { status: 412 })
    })
    return sent
  }
  const save = (mine: Partial<Values>) =>
    saveForm({ code, version: code.version, values: { ...known, ...mine } })

  it('sends the version that the form knows', async () => {
    const sent = serve(code)
    expect(await save({ name: 'Lunch' })).toMatchObject({ saved: { name: 'Lunch' } })
    expect(sent).toMatchObject([{ tag: '"4"', body: { name: 'Lunch' } }])
  })

  it('returns a newer version that differs from the form, and saves nothing', async () => {
    const newer = { ...code, url: 'https://example.com/new', version: 5 }
    const sent = serve(newer)
    expect(await save({ name: 'Lunch' })).toEqual({ newer })
    expect(sent).toHaveLength(1)
  })

  it('is done if an earlier save had arrived but its answer was lost', async () => {
    const newer = { ...code, name: 'Lunch', version: 5 }
    serve(newer)
    expect(await save({ name: 'Lunch' })).toEqual({ saved: newer })
  })
})
