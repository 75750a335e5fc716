import { describe, expect, it } from 'vitest'
import type { QrCode } from '#contract/codes.ts'
import { ApiError } from '../../../src/client/api.ts'
import { shownValue } from '../../../src/client/codes/editor/elsewhere/changed-elsewhere.tsx'
import {
  beginningOf,
  Dispute,
  merge,
  saveTogether,
} from '../../../src/client/codes/editor/elsewhere/three-ways.ts'
import { valuesOf } from '../../../src/client/codes/editor/values.ts'
import type { Values } from '../../../src/client/kept-form.ts'

const code: QrCode = {
  ...{
    id: 'c0de',
    name: 'Menu',
    url: 'https://example.com/',
    vanityUrl: null,
    tags: [],
    version: 4,
  },
  ...{ style: 'classic', foregroundColor: '#000000', backgroundColor: '#FFFFFF' },
  ...{
    ecc: 'M',
    compact: false,
    artwork: null,
    pictureVersion: 'one',
    legibility: null,
    shortCode: 'k7m2xqp',
  },
  ...{ isActive: true, expiresAt: null, createdAt: '2026-11-01T12:00:00.000Z' },
}
const began = valuesOf(code)
const merged = (mine: Partial<Values>, theirs: Partial<Values>) =>
  merge(began, { ...began, ...mine }, { ...began, ...theirs })

describe('two changes of one code', () => {
  it('go together where they are of different fields', () => {
    const both = merged({ name: 'Lunch' }, { url: 'https://example.com/new', ecc: 'H' })
    const values = { ...began, name: 'Lunch', url: 'https://example.com/new', ecc: 'H' }
    expect(both).toEqual({ values, disputed: [], taken: ['url', 'ecc'] })
  })

  it('are put together tag by tag, and nobody is asked', () => {
    const theirs = { ...began, tags: ['New', 'Spring'] }
    const mine = { ...began, tags: ['bar', 'old', 'Mine'] }
    const both = merge({ ...began, tags: ['Bar', 'Old', 'Spring'] }, mine, theirs)
    expect(both).toMatchObject({ values: { tags: ['New', 'Mine'] }, disputed: [] })
  })

  it('are disputed where both changed the same field, which keeps mine until somebody chose', () => {
    const { values, disputed, taken } = merged(
      { url: 'https://example.com/mine', style: 'rounded' },
      { url: 'https://example.com/theirs', vanityUrl: 'lunch' },
    )
    expect(disputed).toEqual(['url'])
    expect(taken).toEqual(['vanityUrl'])
    expect(values).toMatchObject({
      ...{ url: 'https://example.com/mine', style: 'rounded', vanityUrl: 'lunch' },
    })
  })

  it('are not disputed where both say the same in another spelling', () => {
    const mine = { name: ' Lunch ', url: 'HTTPS://example.com', foregroundColor: '#1E40AF' }
    const theirs = { name: 'Lunch', foregroundColor: '#1e40af' }
    expect(merged(mine, theirs)).toMatchObject({ disputed: [], taken: [] })
  })

  it('are shown in the words of the form', () => {
    const values: Values = { ...began, style: 'rounded', compact: true, backgroundColor: '#f0f9ff' }
    expect(shownValue('style', values)).toBe('Rounded')
    expect(shownValue('compact', values)).toBe('On')
    expect(shownValue('ecc', values)).toBe('Medium (15\u00a0%)')
    expect(shownValue('vanityUrl', values)).toBe('Empty (auto-generated code)')
    expect(shownValue('backgroundColor', values)).toBe('#f0f9ff')
  })
})

describe('saving a form', () => {
  const refused = new ApiError(412, '', '{"message":"Changed","code":"changed_elsewhere"}')

  /** A server with the code as it is now, changed once more before each of the first saves. */
  function server(now: QrCode, { races = 0 } = {}) {
    let current = now
    const saves: { values: Values; version: number }[] = []
    const save = async (_: QrCode, values: Values, version: number) => {
      saves.push({ values, version })
      if (races-- > 0) current = { ...current, version: current.version + 1 }
      if (version !== current.version) throw refused
      return current
    }
    return { saves, save, read: async () => current }
  }
  const form = (mine: Partial<Values>) => ({
    ...{ code, began: beginningOf(code), values: { ...began, ...mine } },
  })

  it('sends the version that it began with', async () => {
    const calls = server(code)
    await saveTogether(calls, form({ name: 'Lunch' }))
    expect(calls.saves).toMatchObject([{ version: 4, values: { name: 'Lunch' } }])
  })

  it('keeps a destination that was changed elsewhere meanwhile', async () => {
    const calls = server({ ...code, url: 'https://example.com/new', version: 5 })
    await saveTogether(calls, form({ name: 'Lunch' }))
    expect(calls.saves[1]).toMatchObject({
      ...{ version: 5, values: { name: 'Lunch', url: 'https://example.com/new' } },
    })
  })

  it('asks where both changed the destination, and has saved nothing', async () => {
    const theirs = { ...code, url: 'https://example.com/theirs', version: 5 }
    const calls = server(theirs)
    const saving = saveTogether(calls, form({ url: 'https://example.com/mine' }))
    await expect(saving).rejects.toMatchObject({ theirs, merged: { disputed: ['url'] } })
    await expect(saving).rejects.toBeInstanceOf(Dispute)
    expect(calls.saves).toHaveLength(1)
  })

  it('goes through where an earlier save had arrived but its answer was lost', async () => {
    const calls = server({ ...code, name: 'Lunch', version: 5 })
    await saveTogether(calls, form({ name: 'Lunch' }))
    expect(calls.saves).toHaveLength(2)
  })

  it('gives up where somebody else is always faster', async () => {
    const calls = server(code, { races: 9 })
    await expect(saveTogether(calls, form({ name: 'Lunch' }))).rejects.toBe(refused)
    expect(calls.saves).toHaveLength(3)
  })
})
