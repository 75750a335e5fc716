import { expect, test } from 'vitest'
import {
  RULES_VERSION,
  readAgain,
  readingOf,
} from '../../../src/server/analytics/record/classification.ts'
import { type Hints, hintsOf, NO_HINTS } from '../../../src/server/analytics/user-agents/hints.ts'
import { knownAgents } from '../../support/agents.ts'

const agents = (['devices', 'apps', 'bots'] as const).flatMap((list) =>
  knownAgents(list).map(({ agent }) => agent),
)
const allHints: Hints[] = [
  NO_HINTS,
  hintsOf({ 'sec-ch-ua-mobile': '?0', 'sec-ch-ua-platform': '"Android"' }),
  hintsOf({ 'sec-ch-ua-mobile': '?1', 'sec-ch-ua-platform': '"Windows"' }),
  hintsOf({ 'sec-ch-ua-mobile': '?0', 'sec-ch-ua-platform': '"iOS"' }),
  hintsOf({ 'cf-device-type': 'tablet' }),
]
const PIXEL =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36'
const UNKNOWN = { device: 'Other', os: 'Other', browser: 'Other' }

test('what today’s rules have read they read the same again, whichever hints came with it', () => {
  for (const hints of allHints) {
    const readings = agents.map((agent) => readingOf(agent, hints))
    expect(readings.map((reading, at) => readAgain(reading, agents[at] ?? ''))).toEqual(readings)
  }
})

test('a scan of version 1 gets all of what its agent tells, whatever was stored', () => {
  const stored = { class: 'bot', rule: '1:guess', device: 'TV', os: 'iOS', browser: 'X' } as const
  expect(agents.map((agent) => readAgain(stored, agent))).toEqual(
    agents.map((agent) => readingOf(agent, NO_HINTS)),
  )
})

test('a device that a hint may have told stays, and a rule that knows better wins', () => {
  const stored = { class: 'person', rule: '2:person', ...UNKNOWN } as const
  expect(readAgain({ ...stored, device: 'Desktop' }, PIXEL).device).toBe('Desktop')
  expect(readAgain(stored, PIXEL).device).toBe('Tablet')
  const tv = 'Mozilla/5.0 (SMART-TV; Linux; Tizen 6.0) AppleWebKit/537.36 (KHTML, like Gecko) TV'
  expect(readAgain({ ...stored, device: 'Mobile' }, tv).device).toBe('TV')
})

test('of the request what the rule tells holds: HEAD, and the purpose if it still is a prefetch’s', () => {
  const stored = { class: 'prefetch', rule: '1:purpose:prefetch;anonymous', ...UNKNOWN } as const
  expect(readAgain(stored, PIXEL)).toMatchObject({
    class: 'prefetch',
    rule: `${RULES_VERSION}:purpose:prefetch;anonymous`,
  })
  expect(readAgain({ ...stored, rule: '1:purpose:fun' }, PIXEL).class).toBe('person')
  const part = { ...stored, class: 'bot', rule: '1:part:image' } as const
  expect(readAgain(part, PIXEL)).toMatchObject({
    class: 'bot',
    rule: `${RULES_VERSION}:part:image`,
  })
  const head = { ...stored, class: 'head', rule: '1:method:head' } as const
  expect(readAgain(head, PIXEL)).toMatchObject({
    class: 'head',
    rule: `${RULES_VERSION}:method:head`,
  })
})

test('a visit that could not be read stays a person’s', () => {
  const stored = { class: 'person', rule: '1:unclassified', ...UNKNOWN } as const
  expect(readAgain(stored, '')).toEqual({ ...stored, rule: `${RULES_VERSION}:unclassified` })
})
