import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { lookupLimits } from '../../../src/server/http/limits/limits.ts'
import { LookupThrottle } from '../../../src/server/redirects/lookup-throttle.ts'
import { TargetCache } from '../../../src/server/redirects/target-cache.ts'
import { targetTo } from '../../support/target.ts'

const { counted, inTurn } = lookupLimits
const MENU = targetTo('https://example.com/')

/** A visitor on a connection of his own. */
function visitor(address: string) {
  const socket = Object.assign(new EventEmitter(), { remoteAddress: address, destroyed: false })
  const hangUp = () => {
    socket.destroyed = true
    socket.emit('close')
  }
  return { ip: address, socket, raw: { socket }, hangUp } as never as Parameters<
    LookupThrottle['find']
  >[1] & { hangUp: () => void }
}

describe('an address that asks for unknown names', () => {
  let asked: string[]
  let guesses: LookupThrottle
  let now: number
  beforeEach(() => {
    vi.useFakeTimers()
    const names: string[] = []
    const resolve = async (key: string) => {
      names.push(key)
      return key.startsWith('menu') ? MENU : undefined
    }
    ;[asked, now] = [names, 0]
    guesses = new LookupThrottle(new TargetCache({ resolve }), () => now)
  })
  afterEach(() => vi.useRealTimers())

  const [guesser, other] = [visitor('203.0.113.7'), visitor('203.0.113.8')]
  async function guess(count: number) {
    for (let number = 0; number < count; number++) await guesses.find(`guess-${number}`, guesser)
    asked.length = 0
  }
  const several = (name: string, count: number) =>
    Array.from({ length: count }, (_, index) => guesses.find(`${name}-${index}`, guesser))
  const later = (ms: number) => vi.advanceTimersByTimeAsync(ms)
  async function expectNoWait() {
    several('new', 20)
    await later(0)
    expect(asked).toHaveLength(20)
  }

  test('waits for none before it has asked for many', async () => {
    await guess(counted.max - 1)
    await expectNoWait()
  })

  test('then waits for each name, and still gets every name that exists', async () => {
    await guess(counted.max)
    const found = several('menu', 10 * inTurn.atOnceEach)
    await later(0)
    expect(asked).toHaveLength(inTurn.atOnceEach)
    await later(inTurn.pauseMs)
    expect(asked).toHaveLength(2 * inTurn.atOnceEach)
    await later(9 * inTurn.pauseMs)
    expect(new Set(await Promise.all(found))).toEqual(new Set([MENU]))
  })

  test('does not wait for a name that is in memory', async () => {
    await guesses.find('menu', other)
    await guess(counted.max)
    several('new', 20)
    expect(guesses.find('menu', guesser)).toMatchObject({ target: MENU })
  })

  test('holds up no other address, not even for a name that it waits for', async () => {
    await guess(counted.max)
    several('new', 20)
    void guesses.find('menu', guesser)
    expect(await guesses.find('menu', other)).toEqual(MENU)
  })

  test('is one that asks for unknown names, not one that finds many', async () => {
    for (let number = 0; number < 2 * counted.max; number++) {
      await guesses.find(`menu-${number}`, guesser)
    }
    asked.length = 0
    await expectNoWait()
  })

  test('waits no more when the time is over', async () => {
    await guess(counted.max)
    now = counted.windowMs
    await expectNoWait()
  })

  test('is not refused and does not wait where too many wait', async () => {
    await guess(counted.max)
    several('new', inTurn.waitingEach + inTurn.atOnceEach)
    expect(await guesses.find('menu', guesser)).toEqual(MENU)
  })

  test('leaves the queue when it hangs up', async () => {
    await guess(counted.max)
    several('new', inTurn.atOnceEach)
    const leaving = visitor('203.0.113.7')
    const waiting = expect(guesses.find('gone', leaving)).rejects.toThrow('hung up')
    leaving.hangUp()
    await waiting
    await later(10 * inTurn.pauseMs)
    expect(asked).not.toContain('gone')
    expect(guesses.turns).toMatchObject({ waiting: 0, underWay: 0 })
  })
})
