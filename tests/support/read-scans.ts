import fc from 'fast-check'
import type { ScanClass } from '#contract/analytics/figure-values.ts'
import { readingOf, verdictByRequest } from '../../src/server/analytics/record/classification.ts'
import type { Scan } from '../../src/server/analytics/store/scan.ts'
import { newScanId } from '../../src/server/analytics/store/scan-ids.ts'
import { NO_HINTS } from '../../src/server/analytics/user-agents/hints.ts'
import { scanFrom } from './past-scans.ts'

/** Persons in browsers and apps, televisions, tablets, bots, previews, and one that says nothing. */
const agents = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 320.0.0.0',
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  'Mozilla/5.0 (SMART-TV; Linux; Tizen 6.0) AppleWebKit/537.36 (KHTML, like Gecko) Version/6.0 TV Safari/537.36',
  'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'WhatsApp/2.23.20.0 A',
  'curl/8.5.0',
  '',
]

/** One visit of a code. */
export type Doing = {
  agent: number
  asks: 'GET' | 'HEAD' | 'ahead'
  who: string
  code: number
  at: number
}

/** Doings from `from` up to `to`, in epoch milliseconds, in the order of time. */
export const doings = (from: number, to: number, max = 60) =>
  fc
    .array(
      fc.record({
        agent: fc.nat(agents.length - 1),
        asks: fc.constantFrom<Doing['asks']>('GET', 'GET', 'GET', 'GET', 'HEAD', 'ahead'),
        who: fc.constantFrom('ada', 'bob'),
        code: fc.nat(3),
        at: fc.integer({ min: from, max: to - 1 }),
      }),
      { minLength: max / 2, maxLength: max },
    )
    .map((all) => all.sort((one, other) => one.at - other.at))

/** The scan as today's rules read it when it comes. */
export function readToday({ agent, asks, who, code, at }: Doing, codes: string[]): Scan {
  const text = agents[agent] as string
  const headers = asks === 'ahead' ? { 'sec-purpose': 'prefetch' } : {}
  const method = asks === 'HEAD' ? 'HEAD' : 'GET'
  return scanFrom({
    id: newScanId(at),
    code_id: codes[code] as string,
    at,
    agent: text,
    branch: code > 1 ? 'k3jq8x2a' : null,
    ...readingOf(text, NO_HINTS),
    ...verdictByRequest({ method, headers, address: '' }),
    // The visitor's hash is made of the agent too.
    visitor: `${who} ${agent}`,
  })
}

/** The same scan by the first rules, which read no hints: they take many a person for a bot, and bots for persons. */
export function readBefore(scan: Scan): Scan {
  const isByRequest = scan.class === 'head' || scan.class === 'prefetch'
  const isWrong = scan.agent.length % 3 > 0 && !isByRequest
  const reason = scan.rule.slice(scan.rule.indexOf(':') + 1)
  const wrongly: ScanClass = scan.class === 'person' ? 'bot' : 'person'
  return {
    ...scan,
    class: isWrong ? wrongly : scan.class,
    rule: `1:${isWrong ? 'guess' : reason}`,
    device: null,
    os: 'Windows',
    browser: 'Netscape',
  }
}
