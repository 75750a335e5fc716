import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../src/contract/time.ts'
import { hostTurns } from '../../../src/server/codes/health/asking.ts'
import {
  type Answer,
  changesBy,
  hasFailed,
  healthOf,
  isOurFault,
  type Known,
} from '../../../src/server/codes/health/judge.ts'

const answer = (status: number | null, more: Partial<Answer> = {}): Answer => ({
  status,
  seen: `${status}`,
  ...more,
})

test.each([
  ['alive', [200, 204, 301, 302, 401, 429]],
  ['dead', [404, 410, 500, 503, 530]],
  ['dead', ['ENOTFOUND', 'ECONNREFUSED', 'CERT_HAS_EXPIRED', 'EPROTO']],
  ['unclear', [400, 403, 405, 451]],
  ['unclear', ['ETIMEDOUT', 'ECONNRESET', 'EAI_AGAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE']],
] as const)('a destination is %s after %j', (health, answers) => {
  for (const each of answers) {
    const given = typeof each === 'number' ? answer(each) : answer(null, { reason: each })
    expect(healthOf(given)).toBe(health)
  }
})

test('a page behind a challenge is alive; an address that we may not ask has not failed', () => {
  expect(healthOf(answer(503, { isChallenge: true }))).toBe('alive')
  expect(hasFailed(answer(null))).toBe(false)
  expect(hasFailed(answer(null, { reason: 'ETIMEDOUT' }))).toBe(true)
})

test.each([
  [1, 1, false],
  [2, 2, false],
  [3, 3, true],
  [3, 9, true],
  [3, 10, false],
])('%i failing hosts of %i: is the fault ours? %s', (failing, all, isOurs) => {
  expect(isOurFault(failing, all)).toBe(isOurs)
})

/** The finding after these answers, each a status by its hour */
function after(answers: Record<number, number>): Known {
  const known: Known = {
    health: null,
    since: null,
    seen: null,
    fails: 0,
    failing_since: null,
    due_at: 0,
  }
  for (const [hour, status] of Object.entries(answers)) {
    Object.assign(known, changesBy(answer(status), known, Number(hour) * HOUR_MS))
  }
  return known
}

const failing = { 0: 404, 6: 503, 12: 404, 18: 410 }
const dead = { health: 'dead', since: 0, seen: '410' }
const alive = { health: 'alive', seen: '200' }

test.each([
  ['waits after one failure', { 0: 404 }, { health: null, fails: 1, due_at: 6 * HOUR_MS }],
  ['waits after three', { 0: 404, 6: 404, 12: 404 }, { health: null, fails: 3 }],
  ['is dead after four within a day', failing, { ...dead, due_at: 18 * HOUR_MS + DAY_MS }],
  ['is not dead after longer', { 0: 404, 6: 404, 12: 404, 25: 404 }, { health: null, fails: 1 }],
  [
    'begins anew if it is back',
    { 0: 404, 6: 404, 12: 200, 18: 404 },
    { ...alive, since: 12 * HOUR_MS, fails: 1 },
  ],
  ['stays dead if it refuses us', { ...failing, 42: 403 }, dead],
  ['lives again', { ...failing, 42: 200 }, { ...alive, since: 42 * HOUR_MS, fails: 0 }],
])('a destination %s', (_case, answers, expected) => {
  expect(after(answers)).toMatchObject(expected)
})

test('requests to one host begin one pause after the other, those to another host at once', async () => {
  const pauses: (() => void)[] = []
  const turn = hostTurns(() => new Promise((resolve) => pauses.push(resolve)))
  const begun: string[] = []
  const asks = ['a', 'a', 'b', 'a'].map((host) =>
    turn(host, new AbortController().signal).then(() => begun.push(host)),
  )
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  await settled()
  expect(begun).toEqual(['a', 'b'])
  for (let ended = 0; ended < 4; ended++) {
    pauses[ended]?.()
    await settled()
  }
  await Promise.all(asks)
  expect(begun).toEqual(['a', 'b', 'a', 'a'])
})
