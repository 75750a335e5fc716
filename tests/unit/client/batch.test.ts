import { describe, expect, it } from 'vitest'
import { ApiError } from '../../../src/client/api.ts'
import { doToAll } from '../../../src/client/codes/list/batch.ts'

const items = Array.from({ length: 20 }, (_, index) => index)
const never = new AbortController().signal

type Act = (item: number) => Promise<void>

/** Does something to all items. */
const run = (act: Act, signal = never, onProgress = (_tried: number) => {}) =>
  doToAll(items, act, { onProgress, signal })

/** Ends later, as a call over the network does. */
const aTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('doing the same to many', () => {
  it('acts once on each and reports the progress', async () => {
    const seen: number[] = []
    const progress: number[] = []
    const act = async (item: number) => {
      await aTurn()
      seen.push(item)
    }
    const outcome = await run(act, never, (tried) => void progress.push(tried))
    expect(seen.sort((a, b) => a - b)).toEqual(items)
    expect(progress).toEqual(items.map((item) => item + 1))
    expect(outcome).toEqual({ done: 20, errors: [] })
  })

  it('runs no more than four at once', async () => {
    let current = 0
    let most = 0
    await run(async () => {
      most = Math.max(most, ++current)
      await aTurn()
      current--
    })
    expect(most).toBe(4)
  })

  it('goes on after one that fails', async () => {
    const refused = new ApiError(503, '', '')
    const outcome = await run(async (item) => {
      if (item === 3) throw refused
    })
    expect(outcome).toEqual({ done: 19, errors: [refused] })
  })

  it('stops when the session has ended', async () => {
    let calls = 0
    const { done, errors } = await run(async () => {
      calls++
      await aTurn()
      throw new ApiError(401, '', '{"message":"Unauthorized"}')
    })
    expect(done).toBe(0)
    expect(errors).toHaveLength(calls)
    expect(calls).toBe(4)
  })

  it('finishes the calls under way when it is stopped, and begins no more', async () => {
    const stopping = new AbortController()
    let done = 0
    const outcome = await run(async (item) => {
      if (item === 5) stopping.abort()
      await aTurn()
      done++
    }, stopping.signal)
    expect(outcome).toEqual({ done, errors: [] })
    expect(done).toBeLessThan(12)
    expect(await run(aTurn, stopping.signal)).toEqual({ done: 0, errors: [] })
  })
})
