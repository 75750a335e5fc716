import { visitorWords } from '../../../src/server/analytics/record/classified-visit.ts'
import type { ScanAttributes } from '../../../src/server/analytics/store/scan.ts'
import type { ClassifiedVisit } from '../../../src/server/analytics/types.ts'
import { PHONE } from '../../support/past-scans.ts'

export const attributesWith = (change: Partial<ScanAttributes> = {}): ScanAttributes => ({
  ...PHONE,
  city: 'Münster',
  branch: 'k3jq8x2a',
  agent: 'Mozilla/5.0 (Linux; Android 14)',
  ...change,
})

export const visitWith = (
  visitor: string | null,
  change: Partial<ScanAttributes> = {},
): ClassifiedVisit => ({
  attributes: attributesWith(change),
  visitor: visitor === null ? null : visitorWords(visitor),
})
