import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { RULES_VERSION, readingOf } from '../../../src/server/analytics/record/classification.ts'
import { classOf, deviceOf } from '../../../src/server/analytics/user-agents/agent.ts'
import { NO_HINTS } from '../../../src/server/analytics/user-agents/hints.ts'
import { type KnownAgent, knownAgents } from '../../support/agents.ts'

const [devices, apps, bots] = [knownAgents('devices'), knownAgents('apps'), knownAgents('bots')]

const halves = (agents: KnownAgent[]) => [
  agents.filter(({ isHeldOut }) => !isHeldOut),
  agents.filter(({ isHeldOut }) => isHeldOut),
]

function share(agents: KnownAgent[], isRight: (known: KnownAgent) => boolean): number {
  expect(agents.length).toBeGreaterThan(0)
  return (100 * agents.filter(isRight).length) / agents.length
}

/** The share of each half for which it is so, in per cent; printed, so that a change shows. */
function shares(name: string, agents: KnownAgent[], isRight: (known: KnownAgent) => boolean) {
  const [worked = [], held = []] = halves(agents)
  const both = [share(worked, isRight), share(held, isRight)] as const
  const [one, other] = both.map((each) => `${each.toFixed(1)} %`)
  console.log(
    `${name}: ${one} of ${worked.length} worked with, ${other} of ${held.length} held out`,
  )
  return both[1]
}

const isPerson = ({ agent }: KnownAgent) => classOf(agent)[0] === 'person'

describe('of the agents that no rule was written with', () => {
  test.each([
    ['Mobile', 95],
    ['Tablet', 95],
    ['Desktop', 95],
    ['TV', 80],
  ])('%s is right for at least %i in a hundred', (device, least) => {
    const own = devices.filter(({ is }) => is === device)
    const right = shares(device, own, ({ agent }) => deviceOf(agent, NO_HINTS).device === device)
    expect(right).toBeGreaterThanOrEqual(least)
  })

  test('at most 0.5 % of bots and previews count as persons', () => {
    expect(shares('Bots counted', bots, isPerson)).toBeLessThanOrEqual(0.5)
  })
})

test('no app that people scan with is a bot', () => {
  expect(apps.filter((known) => !isPerson(known))).toEqual([])
})

test('an app has its own name, not its engine’s', () => {
  const named = apps.filter(({ is }) => is !== '-')
  const wrong = named.filter(({ is, agent }) => deviceOf(agent, NO_HINTS).browser !== is)
  expect(wrong).toEqual([])
})

test('next to no real device is a bot', () => {
  const own = devices.filter(({ is }) => ['Mobile', 'Tablet', 'Desktop'].includes(is))
  expect(shares('Devices counted', own, isPerson)).toBeGreaterThanOrEqual(98)
})

test('there are enough agents, from several sources', () => {
  expect(devices.length).toBeGreaterThanOrEqual(500)
  expect(apps.length + bots.length).toBeGreaterThanOrEqual(100)
  expect(new Set([...devices, ...apps, ...bots].map(({ source }) => source)).size).toBeGreaterThan(
    5,
  )
})

/** If this fails, agents are read otherwise than before: raise RULES_VERSION, and write both here. */
test('what is read follows from the version of the rules', () => {
  const digest = createHash('sha256')
  for (const { agent } of [...devices, ...apps, ...bots]) {
    const { class: scanClass, device, os, browser } = readingOf(agent, NO_HINTS)
    digest.update(`${scanClass} ${device} ${os} ${browser}\n`)
  }
  expect([RULES_VERSION, digest.digest('hex').slice(0, 12)]).toEqual([3, '1c56bb49813d'])
})
