import { describe, expect, it } from 'vitest'
import { valuesOf } from '../../../src/client/codes/editor/values.ts'
import { type KeptSeries, readSeries } from '../../../src/client/codes/series/series-form.tsx'
import { HOUR_MS } from '../../../src/contract/time.ts'

const NOW = Date.parse('2026-03-02T12:00:00Z')

const kept: KeptSeries = {
  userId: 'ada',
  at: NOW,
  kind: 'lines',
  text: 'Bar\nHall',
  values: { ...valuesOf(undefined), name: 'Table {n}', foregroundColor: '#1e40' },
  numbers: { kind: 'numbers', from: 1, to: 20, leadingZeros: true },
}
const read = (series: unknown, now = NOW) => readSeries(JSON.stringify(series), 'ada', now)

describe('a kept series', () => {
  it('comes back as it was, with a number that was being typed', () => {
    expect(read(kept)).toEqual(kept)
    const empty = { ...kept, numbers: { ...kept.numbers, to: Number.NaN } }
    expect(read(empty)).toEqual(empty)
  })

  it('belongs to one person, and for an hour', () => {
    expect(read({ ...kept, userId: 'bob' })).toBeNull()
    expect(read(kept, NOW + HOUR_MS)).toEqual(kept)
    expect(read(kept, NOW + HOUR_MS + 1)).toBeNull()
  })
})
