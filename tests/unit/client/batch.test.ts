import { describe, expect, it } from 'vitest'
import { ApiError } from '../../../src/client/api.ts'
import { doToAll } from '../../../src/client/codes/list/batch.ts'

const items = Array.from({ length: 20 }, (_, index) => index)
const never = new AbortController().signal

/** Ends later, as a call over the network does. */
const aTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('doing the same to many', () => {
  it('acts once on each and reports the progress', async () => {
    const seen: number[] = []
    const progress: number[] = []
    const outcome = await doToAll(
      items,
      async (item) => {
        await aTurn()
        seen.push(item)
      },
      { onProgress: (tried) => progress.push(tried), signal: never },
    )
    expect(seen.sort((a, b) => a - b)).toEqual(items)
    expect(progress).toEqual(items.map((item) => item + 1))
    expect(outcome).toEqual({ done: 20, errors: [] })
  })

  it('runs no more than four at once', async () => {
    let current = 0
    let most = 0
    await doToAll(
      items,
      async () => {
        most = Math.max(most, ++current)
        await aTurn()
        current--
      },
      { onProgress: () => {}, signal: never },
    )
    expect(most).toBe(4)
  })

  it('goes on after one that fails', async () => {
    const refused = new ApiError(503, '', '')
    const outcome = await doToAll(
      items,
      async (item) => {
        if (item === 3) throw refused
      },
      { onProgress: () => {}, signal: never },
    )
    expect(outcome).toEqual({ done: 19, errors: [refused] })
  })

  it('stops when the session has ended', async () => {
    let calls = 0
    const { done, errors } = await doToAll(
      items,
      async () => {
        calls++
        await aTurn()
        throw new ApiError(401, '', '{"message":"Unauthorized"}')
      },
      { onProgress: () => {}, signal: never },
    )
    expect(done).toBe(0)
    expect(errors).toHaveLength(calls)
    expect(calls).toBe(4)
  })

  it('finishes the calls under way when it is stopped, and begins no more', async () => {
    const stopping = new AbortController()
    let done = 0
    const outcome = await doToAll(
      items,
      async (item) => {
        if (item === 5) stopping.abort()
        await aTurn()
        done++
      },
      { onProgress: () => {}, signal: stopping.signal },
    )
    expect(outcome).toEqual({ done, errors: [] })
    expect(done).toBeLessThan(12)
    const nothing = { onProgress: () => {}, signal: stopping.signal }
    expect(await doToAll(items, aTurn, nothing)).toEqual({ done: 0, errors: [] })
  })
})
