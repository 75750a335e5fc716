import { visitorWords } from '../../../src/server/analytics/record/classified-visit.ts'
import type { ScanAttributes } from '../../../src/server/analytics/store/scan.ts'
import type { ClassifiedVisit } from '../../../src/server/analytics/types.ts'

export const attributesWith = (change: Partial<ScanAttributes> = {}): ScanAttributes => ({
  class: 'person',
  rule: '2:person',
  country: 'DE',
  region: null,
  city: 'Münster',
  device: 'Mobile',
  os: 'Android',
  browser: 'Chrome',
  referrer: null,
  language: 'de',
  agent: 'Mozilla/5.0 (Linux; Android 14)',
  utm: null,
  ...change,
})

export const visitWith = (
  visitor: string | null,
  change: Partial<ScanAttributes> = {},
): ClassifiedVisit => ({
  attributes: attributesWith(change),
  visitor: visitor === null ? null : visitorWords(visitor),
})
