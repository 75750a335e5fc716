import { describe, expect, test } from 'vitest'
import { FairQueue } from '../../../src/server/http/queue/fair-queue.ts'

const limits = { atOnce: 2, atOnceEach: 2, waiting: 100, waitingEach: 10 }

/** Work that a test lets end, and the order in which each began. */
function workshop(turns: FairQueue) {
  const began: string[] = []
  const ends: (() => void)[] = []
  const ask = (owner: string, name = owner, signal?: AbortSignal) =>
    turns.run(
      owner,
      () => {
        began.push(name)
        return new Promise<void>((resolve) => ends.push(resolve))
      },
      signal,
    )
  const endOne = async () => {
    ends.shift()?.()
    await nextTurn()
  }
  return { began, ask, endOne }
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))
const many = (count: number) => Array.from({ length: count }, (_, index) => index)

describe('turns', () => {
  test('the second owner goes before the rest of the first', async () => {
    const { began, ask, endOne } = workshop(new FairQueue(limits))
    for (const index of many(5)) ask('eve', `eve ${index}`)
    ask('ada')
    await nextTurn()
    expect(began).toEqual(['eve 0', 'eve 1'])
    for (const _ of many(3)) await endOne()
    expect(began).toEqual(['eve 0', 'eve 1', 'eve 2', 'ada', 'eve 3'])
  })

  test('an owner with too many waiting is refused for itself, and all together when the queue is full', async () => {
    const turns = new FairQueue({ ...limits, waiting: 12 })
    const { ask } = workshop(turns)
    for (const _ of many(12)) ask('eve')
    await expect(ask('eve')).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 1 })
    for (const _ of many(2)) ask('ada')
    expect(turns).toMatchObject({ underWay: 2, waiting: 12, refused: 1 })
  })

  test('a full queue has room for an owner with few waiting, but not if all have as few', async () => {
    const turns = new FairQueue({ atOnce: 1, atOnceEach: 1, waiting: 4, waitingEach: 4 })
    const { began, ask, endOne } = workshop(turns)
    const flood = many(5).map((index) => ask('eve', `eve ${index}`))
    const refused = flood
      .slice(2)
      .map((work) => expect(work).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 1 }))
    for (const other of ['ada', 'bob', 'cay']) ask(other)
    await Promise.all(refused)
    await expect(ask('dan')).rejects.toMatchObject({ code: 'busy', retryAfter: 1 })
    expect(turns).toMatchObject({ underWay: 1, waiting: 4, refused: 4 })
    for (const _ of many(4)) await endOne()
    expect(began).toEqual(['eve 0', 'eve 1', 'ada', 'bob', 'cay'])
  })

  test('work in the background waits where others are refused, and its turn comes', async () => {
    const turns = new FairQueue({ ...limits, atOnce: 1, waiting: 1, waitingEach: 1 })
    const { began, ask, endOne } = workshop(turns)
    for (const index of many(2)) ask('eve', `eve ${index}`)
    await expect(ask('eve')).rejects.toMatchObject({ code: 'rate_limited' })
    turns.run('eve', async () => began.push('background'), undefined, true)
    for (const _ of many(2)) await endOne()
    expect(began).toEqual(['eve 0', 'eve 1', 'background'])
    expect(turns).toMatchObject({ underWay: 0, waiting: 0, refused: 1 })
  })

  test('a client who hangs up leaves the queue', async () => {
    const turns = new FairQueue(limits)
    const { began, ask, endOne } = workshop(turns)
    const call = new AbortController()
    for (const index of many(2)) ask('eve', `eve ${index}`)
    const left = ask('ada', 'ada', call.signal)
    ask('bob')
    call.abort(new Error('hung up'))
    await expect(left).rejects.toThrow('hung up')
    expect(turns.waiting).toBe(1)
    for (const _ of many(2)) await endOne()
    expect(began).toEqual(['eve 0', 'eve 1', 'bob'])
  })

  test('work that fails gives its place to the next', async () => {
    const turns = new FairQueue({ ...limits, atOnce: 1 })
    const failing = turns.run('eve', () => Promise.reject(new Error('broken')))
    const next = turns.run('ada', async () => 'done')
    await expect(failing).rejects.toThrow('broken')
    expect(await next).toBe('done')
    expect(turns).toMatchObject({ underWay: 0, waiting: 0 })
  })

  test('only so many start in one turn of the event loop', async () => {
    const turns = new FairQueue({ ...limits, atOnce: 100, atOnceEach: 100, startsPerTurn: 3 })
    const { began, ask } = workshop(turns)
    const seen: number[] = []
    for (const _ of many(7)) ask('eve')
    for (const _ of many(3)) {
      await new Promise((resolve) => process.nextTick(resolve))
      seen.push(began.length)
      await nextTurn()
    }
    expect(began.length).toBe(7)
    expect(seen[0]).toBe(3)
    await nextTurn()
    expect(turns.waiting).toBe(0)
  })
})
