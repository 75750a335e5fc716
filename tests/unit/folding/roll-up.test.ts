import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DAY_MS } from '../../../src/contract/time.ts'
import { rollUp } from '../../../src/server/analytics/store/fold/roll-up.ts'
import { foldScanOf, ScanKinds } from '../../../src/server/analytics/store/fold-scan.ts'
import { countedFrom, type LedgerRow, rollupLines } from '../../support/ledger.ts'
import { scanFrom } from '../../support/past-scans.ts'

const NOON = Date.parse('2026-11-22T12:00:00Z')
const text = (...values: string[]) => fc.constantFrom(null, ...values)
const anyScan = fc.record({
  code_id: fc.constantFrom('one', 'other', 'third'),
  at: fc.integer({ min: NOON - DAY_MS, max: NOON + DAY_MS }),
  class: fc.constantFrom('person', 'bot', 'head'),
  country: text('DE', 'AT'),
  device: text('Mobile', 'Tablet'),
  os: text('iOS'),
  browser: text('Safari', 'iOS'),
  referrer: text('example.com', "it's; a \n host"),
  language: text('de'),
  branch: text('k3jq8x2a', 'm0p4t7wz'),
})
const scansOf = (cases: { code_id: string; at: number }[], kinds: ScanKinds) =>
  cases.map((one) => foldScanOf(scanFrom(one), kinds))

test('the rollups are what counting row by row gives', () => {
  const cases = fc.array(fc.tuple(anyScan, fc.boolean()), { maxLength: 60 })
  const property = fc.property(cases, (drawn) => {
    const scans = drawn.map(([scan]) => foldScanOf(scanFrom(scan as never), kinds))
    const firsts = new Set(scans.filter((_, index) => drawn[index]?.[1]))
    const rows = scans.map(({ codeId, at, kind }, index) => ({
      code_id: codeId,
      at,
      first: Number(drawn[index]?.[1]),
      ...kind.attributes,
    }))
    expect(rollupLines(rollUp(scans, firsts))).toEqual(countedFrom(rows as unknown as LedgerRow[]))
  })
  const kinds = new ScanKinds()
  fc.assert(property)
})

test('rows come in the order of their keys, however the scans came, so that two processes lock in one order', () => {
  const kinds = new ScanKinds()
  const scans = scansOf(
    [
      { code_id: 'b', at: NOON },
      { code_id: 'a', at: NOON },
      { code_id: 'a', at: NOON - DAY_MS },
    ],
    kinds,
  )
  const tablet = foldScanOf(scanFrom({ code_id: 'a', at: NOON, device: 'Desktop' }), kinds)
  const { counts, facets } = rollUp([...scans, tablet], new Set())
  expect(counts.map(({ code_id, quarter }) => [code_id, quarter])).toEqual([
    ['a', Math.floor((NOON - DAY_MS) / 900_000)],
    ['a', Math.floor(NOON / 900_000)],
    ['b', Math.floor(NOON / 900_000)],
  ])
  const keys = facets.map((row) => `${row.code_id} ${row.day} ${row.facet} ${row.value}`)
  expect(keys).toEqual([...keys].sort())
})
