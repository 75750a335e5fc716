import { expect, test } from 'vitest'
import { lateCodes } from '../../../src/server/analytics/store/ledger/totals.ts'

const DAY = 96

test('only codes that are counted in a day of the totals are late, each from its first such day', () => {
  const counts = [
    { code_id: 'b', quarter: 12 * DAY },
    { code_id: 'b', quarter: 11 * DAY + 95 },
    { code_id: 'b', quarter: 20 * DAY },
    { code_id: 'a', quarter: 19 * DAY + 95 },
    { code_id: 'c', quarter: 20 * DAY },
  ]
  expect(lateCodes(counts, 20)).toEqual([
    { codeId: 'a', day: 19 },
    { codeId: 'b', day: 11 },
  ])
  expect(lateCodes(counts, 0)).toEqual([])
})
