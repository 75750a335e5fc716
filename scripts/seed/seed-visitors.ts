import type { ScanAttributes } from '../../src/server/analytics/store/scan.ts'
import { Dice } from '../../src/server/demo/dice.ts'

const SORTS = 4_000
const PROGRAM_SORTS = 40

// biome-ignore format: a table
const countries = [
  ['GB', 'en', 34], ['DE', 'de', 16], ['US', 'en', 12], ['FR', 'fr', 8], ['NL', 'nl', 5], ['IE', 'en', 5],
  ['ES', 'es', 4], ['IT', 'it', 4], ['PL', 'pl', 3], ['AT', 'de', 2], ['CH', 'de', 2], ['BE', 'nl', 2],
  ['SE', 'sv', 1], ['DK', 'da', 1], ['NO', 'nb', 1], ['PT', 'pt', 1], ['CZ', 'cs', 1], ['IN', 'en', 1],
  ['JP', 'ja', 1], ['BR', 'pt', 1], ['CA', 'en', 1], ['AU', 'en', 1], ['TR', 'tr', 1], ['UA', 'uk', 1],
] as const
// biome-ignore format: a table
const browsers = [
  ['Mobile', 'iOS', 'Safari', 46], ['Mobile', 'Android', 'Chrome', 33], ['Mobile', 'Android', 'Samsung Internet', 6],
  ['Mobile', 'iOS', 'Instagram', 3], ['Mobile', 'Android', 'Facebook', 3], ['Tablet', 'iOS', 'Safari', 3],
  ['Tablet', 'Android', 'Chrome', 1], ['Desktop', 'Windows', 'Chrome', 2], ['Desktop', 'macOS', 'Safari', 2],
  ['Desktop', 'Windows', 'Edge', 1],
] as const
// biome-ignore format: a table
const referrers = [
  [null, 90], ['instagram.com', 4], ['facebook.com', 3], ['google.com', 2], ['t.co', 0.5], ['linkedin.com', 0.5],
] as const
const programs = [
  'WhatsApp/2.24.6.77 A',
  'Twitterbot/1.0',
  'Googlebot/2.1',
  'Slackbot-LinkExpanding 1.0',
]
const AGENT = 'Mozilla/5.0 (made for a seed)'

/** Sorts of visitors, as frequent as in the tables; the same each time. */
export function seedVisitors(): ScanAttributes[] {
  const dice = new Dice('sorts of visitors')
  const unknown = { region: null, utm: null, branch: null }
  const persons = Array.from({ length: SORTS }, (): ScanAttributes => {
    const [country, language] = dice.pick(countries.map((row) => [row, row[2]] as const))
    const [device, os, browser] = dice.pick(browsers.map((row) => [row, row[3]] as const))
    const referrer = dice.pick(referrers)
    const agent = `${AGENT} ${os} ${browser}/${Math.floor(dice.between(100, 145))}.0 ${device}`
    const city = `Town ${Math.floor(dice.between(1, 40))}`
    const facets = { browser, country, city, device, language, os, referrer }
    return { ...unknown, ...facets, class: 'person', rule: '2:person', agent }
  })
  const others = Array.from({ length: PROGRAM_SORTS }, (_, index): ScanAttributes => {
    const facets = { browser: 'Other', device: 'Other', os: 'Other', country: 'US', city: null }
    return {
      ...unknown,
      ...facets,
      class: index % 4 === 2 ? 'bot' : 'preview',
      rule: '2:seed',
      language: null,
      referrer: null,
      agent: programs[index % programs.length] as string,
    }
  })
  return [...persons, ...others]
}
