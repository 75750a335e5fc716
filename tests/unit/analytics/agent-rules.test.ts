import { describe, expect, test } from 'vitest'
import { classify, readingOf } from '../../../src/server/analytics/record/classification.ts'
import {
  appOf,
  browsers,
  classOf,
  deviceOf,
  systems,
} from '../../../src/server/analytics/user-agents/agent.ts'
import { apps, previews } from '../../../src/server/analytics/user-agents/apps.ts'
import { habits, machines } from '../../../src/server/analytics/user-agents/devices.ts'
import { hintsOf, NO_HINTS } from '../../../src/server/analytics/user-agents/hints.ts'
import { ruleExamples } from '../../support/agents.ts'

const tables = {
  apps,
  devices: [...machines, ...habits],
  browsers,
  systems,
  previews,
}

/** Each example with its rule; a rule without one fails the test below. */
const examplesOf = (table: keyof typeof tables) =>
  Object.entries(ruleExamples[table]).flatMap(([name, agents]) =>
    agents.map((agent) => [name, agent] as const),
  )

describe('each example of the rules', () => {
  test.each(examplesOf('previews'))('%s fetches a preview: %s', (name, agent) => {
    expect(classOf(agent)).toEqual(['preview', `preview:${name}`])
  })

  test.each(examplesOf('apps'))('%s is a person with an app: %s', (name, agent) => {
    expect(classOf(agent)).toEqual(['person', `app:${name}`])
    expect(deviceOf(agent, NO_HINTS)).toMatchObject({ browser: name, device: 'Mobile' })
  })

  test.each(examplesOf('devices'))('%s is a kind of device: %s', (name, agent) => {
    const rule = tables.devices.find((one) => one.name === name)
    expect(deviceOf(agent, NO_HINTS).device).toBe(rule?.device)
    expect(classOf(agent)[0]).toBe('person')
  })

  test.each(examplesOf('browsers'))('%s is a browser: %s', (name, agent) => {
    expect(deviceOf(agent, NO_HINTS).browser).toBe(name)
  })

  test.each(examplesOf('systems'))('%s is a system: %s', (name, agent) => {
    expect(deviceOf(agent, NO_HINTS).os).toBe(name)
  })
})

test('a rule has a name of its own in its table, and an example', () => {
  for (const [name, table] of Object.entries(tables)) {
    const examples = ruleExamples[name as keyof typeof tables]
    expect(Object.keys(examples)).toEqual(table.map((rule) => rule.name))
    for (const { name: rule } of table) expect(examples[rule]).not.toHaveLength(0)
  }
})

const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0'

describe('a person', () => {
  test.each([
    ['Discovery DG500', 'Build/JOP40D'],
    ['M4tel Spider', 'Build/MRA58K'],
    ['CUBOT_P20', ''],
    ['ID bot 53+', 'Build/NRD90M'],
    ['Tools (2018)', 'Build/O11019; wv'],
  ])('may have a phone of the model %s', (model, build) => {
    const agent = `Mozilla/5.0 (Linux; Android 8.1.0; ${model} ${build}) ${CHROME} Mobile Safari/537.36`
    expect(classOf(agent)).toEqual(['person', 'person'])
  })

  test.each([
    `Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) ${CHROME} Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`,
    `Mozilla/5.0 (Linux; Android 7.0; compatible; ExampleBot/1.0; +http://example.com) ${CHROME} Mobile Safari/537.36`,
    `Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 41.0 (compatible; ExampleBot/1.0)`,
    `Mozilla/5.0 (Linux; Android 8.0; Pixel 2 Build/OPD3.170816.012; Storebot-Google/1.0) ${CHROME} Mobile Safari/537.36`,
    'MicroMessenger/8.0 curl/8.5.0',
  ])('is not who only borrows a phone or an app: %s', (agent) => {
    expect(classOf(agent)[0]).toBe('bot')
    expect(classOf(agent)[1]).toMatch(/^isbot:/)
  })
})

describe('a device', () => {
  test.each(['', 'x', 'Mozilla/5.0', 'Whatever 1 (abc; def)', '\u0000'.repeat(512)])(
    'is Other, with another system and browser, where the agent %j tells nothing',
    (agent) => {
      expect(deviceOf(agent, NO_HINTS)).toEqual({ device: 'Other', os: 'Other', browser: 'Other' })
    },
  )

  test('has only names from a list, whatever a visitor writes', () => {
    const agent = `Mozilla/5.0 (Linux; Android 14) ${CHROME} Mobile BuyMyThings/1.0`
    expect(deviceOf(agent, NO_HINTS).browser).toBe('Chrome')
    expect(deviceOf('BuyMyThings/1.0 (Cheap)', NO_HINTS).browser).toBe('Other')
  })

  const SHORT = `Mozilla/5.0 (Linux; Android 10; K) ${CHROME}`
  const ANDROID = { 'sec-ch-ua-platform': '"Android"' }
  test.each([
    [`${SHORT} Mobile Safari/537.36`, {}, 'Mobile'],
    [`${SHORT} Safari/537.36`, {}, 'Tablet'],
    [`${SHORT} Safari/537.36`, { ...ANDROID, 'sec-ch-ua-mobile': '?1' }, 'Mobile'],
    [`${SHORT} Mobile Safari/537.36`, { ...ANDROID, 'sec-ch-ua-mobile': '?0' }, 'Tablet'],
    [
      `${SHORT} Safari/537.36`,
      { 'cloudfront-is-mobile-viewer': 'false', 'cloudfront-is-smarttv-viewer': 'true' },
      'TV',
    ],
    [`${SHORT} Safari/537.36`, { 'cf-device-type': 'mobile' }, 'Mobile'],
    [`${SHORT} Safari/537.36`, { 'sec-ch-ua-mobile': '?0' }, 'Tablet'],
    [`${SHORT} Safari/537.36`, { 'sec-ch-ua-platform': '"Toaster"' }, 'Tablet'],
    ['Mozilla/5.0 (SMART-TV; LINUX; Tizen 6.0) TV Safari', { 'sec-ch-ua-mobile': '?1' }, 'TV'],
  ])('of %s with the hints %o is %s', (agent, headers, device) => {
    expect(deviceOf(agent, hintsOf(headers as Record<string, string>)).device).toBe(device)
  })

  test('behind a Chromebook or a Mac is told by the platform', () => {
    const unknown = 'Mozilla/5.0 (Unknown) Chrome/131.0.0.0'
    const hinted = (platform: string) =>
      deviceOf(unknown, hintsOf({ 'sec-ch-ua-mobile': '?0', 'sec-ch-ua-platform': platform }))
    expect(hinted('"Chromium OS"')).toMatchObject({ device: 'Desktop', os: 'Chrome OS' })
    expect(hinted('"macOS"')).toMatchObject({ device: 'Desktop', os: 'macOS' })
  })
})

test('one reading has the class and the device of the same agent', () => {
  const agent = ruleExamples.apps.WeCom?.[0] ?? ''
  const { device, os, browser, ...verdict } = readingOf(agent, NO_HINTS)
  expect({ device, os, browser }).toEqual(deviceOf(agent, NO_HINTS))
  const visit = { method: 'GET', address: '', headers: { 'user-agent': agent } }
  expect(verdict).toEqual(classify(visit))
  expect(appOf(agent)?.name).toBe(browser)
})
