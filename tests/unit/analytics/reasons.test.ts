import { describe, expect, test } from 'vitest'
import { LIST_ROWS_MAX } from '../../../src/contract/analytics/figure-values.ts'
import { classRows, labelOf, reasonOf } from '../../../src/server/analytics/query/labels.ts'
import { topValues } from '../../../src/server/analytics/store/count/count.ts'
import { Tally } from '../../../src/server/analytics/store/count/tallies.ts'
import { classOf } from '../../../src/server/analytics/user-agents/agent.ts'
import { ruleExamples } from '../../support/agents.ts'

describe('the reason of a class', () => {
  test.each([
    ['person', '2:person', 'Opened in a browser'],
    ['person', '2:app:Instagram', 'Opened in the Instagram app'],
    ['person', '2:tv', 'Opened on a TV'],
    ['person', '2:unclassified', 'Could not be judged, so it counts as a person'],
    ['preview', '2:preview:WhatsApp', 'Preview by WhatsApp'],
    ['preview', '1:preview:facebookexternalhit', 'Preview by Facebook'],
    ['bot', '2:agent:absent', 'A program that does not say what it is'],
    ['bot', '2:isbot:Googlebot', 'A program: it says “Googlebot” about itself'],
    ['bot', '2:isbot:null', 'A program, not a person'],
    ['bot', '3:part:image', 'Loaded by a page (image), not opened'],
    ['bot', 'something else', 'A program, not a person'],
    [
      'prefetch',
      '2:purpose:prefetch;prerender',
      'Loaded ahead by a browser; perhaps nobody saw it',
    ],
    ['head', '2:method:head', 'A check of the link that did not open it'],
  ] as const)('%s by the rule %s is told in words', (scanClass, rule, words) => {
    expect(reasonOf(scanClass, rule)).toBe(words)
  })

  test('names each app and each maker of previews', () => {
    const { apps, previews } = ruleExamples
    for (const [name, [agent = '']] of [...Object.entries(apps), ...Object.entries(previews)]) {
      const [scanClass, rule] = classOf(agent)
      const shown = name === 'facebookexternalhit' ? 'Facebook' : name
      expect(reasonOf(scanClass, `2:${rule}`)).toContain(shown)
    }
  })

  test('is one row for the rules of all versions, most scans first', () => {
    const counts = [
      { class: 'head', rule: '1:method:head', scans: 2 },
      { class: 'preview', rule: '1:preview:Slack', scans: 2 },
      { class: 'preview', rule: '2:preview:Slack', scans: 3 },
    ]
    expect(classRows(counts)).toEqual([
      { class: 'preview', reason: 'Preview by Slack', scans: 5 },
      { class: 'head', reason: 'A check of the link that did not open it', scans: 2 },
    ])
  })
})

describe('the list of a facet', () => {
  test('has as many rows as it may, and the scans of all other values in one number', () => {
    const hosts = new Tally<string | null>([[null, 4]])
    for (let at = 1; at <= LIST_ROWS_MAX + 2; at++) hosts.add(`host-${at}.example`, at)
    const list = topValues('referrer', hosts)
    expect(list.values).toHaveLength(LIST_ROWS_MAX)
    expect(list.values[0]).toEqual({ value: `host-${LIST_ROWS_MAX + 2}.example`, scans: 502 })
    expect(list).toMatchObject({ unknown: 4, others: 1 + 2 })
    expect(list.scans).toBe(4 + (502 * 503) / 2)
  })

  test('does not show the rest of rare values as a value', () => {
    const counts = () => new Tally<string | null>([['Other', 3]])
    expect(topValues('referrer', counts())).toMatchObject({ values: [], others: 3, scans: 3 })
    expect(topValues('browser', counts()).values).toEqual([{ value: 'Other', scans: 3 }])
  })

  test('names countries and languages', () => {
    expect(labelOf('country', 'DE')).toBe('Germany')
    expect(labelOf('language', 'de')).toBe('German')
    expect(labelOf('city', 'Munich')).toBe('Munich')
  })
})
