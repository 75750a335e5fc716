import {
  type Kind,
  type Seen,
  visitorWords,
} from '../../../src/server/analytics/record/journal/kind.ts'

export const kindWith = (change: Partial<Kind> = {}): Kind => ({
  ...({ class: 'person', rule: '2:person' } as const),
  ...{ country: 'DE', region: null, city: 'Münster' },
  ...{ device: 'Mobile', os: 'Android', browser: 'Chrome' },
  ...{ referrer: null, language: 'de', agent: 'Mozilla/5.0 (Linux; Android 14)' },
  ...change,
})

export const seenWith = (visitor: string | null, change: Partial<Kind> = {}): Seen => ({
  kind: kindWith(change),
  visitor: visitor === null ? null : visitorWords(visitor),
})
