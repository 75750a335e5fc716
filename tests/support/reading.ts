import type { ScanAttributes } from '../../src/server/analytics/store/scan.ts'
import type { Reading } from '../../src/server/analytics/types.ts'

/** A visitor as the redirect reads one: a person, of whom nothing else is known. */
export const readingOf = (
  known: Partial<ScanAttributes>,
  visitor: Uint32Array | null = new Uint32Array([1, 2, 3, 4]),
): Reading => ({
  attributes: {
    class: 'person',
    rule: '3:person',
    country: null,
    region: null,
    city: null,
    device: null,
    os: null,
    browser: null,
    referrer: null,
    language: null,
    agent: '',
    utm: null,
    branch: null,
    ...known,
  },
  visitor,
  address: '203.0.113.7',
})
