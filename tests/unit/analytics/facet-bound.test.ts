import fc from 'fast-check'
import { expect, test } from 'vitest'
import { boundFacet, REST } from '../../../src/server/analytics/store/ledger/facet-bound.ts'

const values = (...pairs: [string, number][]) => new Map(pairs)

test('up to the bound every value keeps its name', () => {
  const persons = values(['a', 2], ['b', 1])
  expect(boundFacet(persons, new Set(['c']), 3)).toEqual(persons)
})

test('beyond it known values stay, and new ones share the rest', () => {
  const persons = values(['a', 2], ['b', 1], ['c', 5], ['d', 3])
  expect(boundFacet(persons, new Set(['d', 'e']), 3)).toEqual(values(['a', 2], [REST, 6], ['d', 3]))
})

test('whatever comes, the sum is exact and the names stay within the bound', () => {
  const batch = fc.dictionary(fc.string({ maxLength: 2 }), fc.integer({ min: 1, max: 9 }))
  fc.assert(
    fc.property(fc.array(batch, { maxLength: 6 }), (batches) => {
      const stored = new Map<string, number>()
      for (const each of batches) {
        const bounded = boundFacet(new Map(Object.entries(each)), new Set(stored.keys()), 5)
        for (const [value, scans] of bounded) stored.set(value, (stored.get(value) ?? 0) + scans)
      }
      const sum = (all: Iterable<number>) => [...all].reduce((total, one) => total + one, 0)
      expect(sum(stored.values())).toBe(sum(batches.flatMap((each) => Object.values(each))))
      stored.delete(REST)
      expect(stored.size).toBeLessThanOrEqual(5)
    }),
  )
})
