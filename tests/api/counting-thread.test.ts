import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Counter, openCounter } from '../../src/server/analytics/query/counter.ts'
import type { Selection } from '../../src/server/analytics/store/scans-store.ts'
import type { WorkspaceId } from '../../src/server/database/ids.ts'
import { queues } from '../../src/server/http/limits/limits.ts'
import { STEP_LIMIT_MS } from '../support/limits.ts'
import { databaseForBlock } from '../support/test-database.ts'
import { BREAKS } from '../support/unruly-looks.ts'

const UNRULY = new URL('../support/unruly-counting-thread.ts', import.meta.url)

describe('the thread that counts', () => {
  const database = databaseForBlock('sqlite')
  let counter: Counter
  beforeEach(() => {
    counter = openCounter(database.location, { thread: UNRULY, taskMs: STEP_LIMIT_MS })
  })
  afterEach(() => counter.stop())

  const count = (
    city?: string,
    { workspaceId = 'ada' as WorkspaceId, signal = undefined as AbortSignal | undefined } = {},
  ) => {
    const scans: Selection = {
      workspaceId,
      codeIds: [],
      kind: 'people',
      filters: city === undefined ? {} : { city },
      from: 0,
      to: 96,
      firstCompleteDay: 0,
    }
    const list = { ask: 'list', facet: 'country' } as const
    return counter.run(workspaceId, (count) => count(scans, list), signal)
  }
  const NOTHING = { values: [], unknown: 0, others: 0, scans: 0 }

  test('answers, and is started again after it broke', async () => {
    expect(await count()).toEqual(NOTHING)
    await expect(count(BREAKS)).rejects.toMatchObject({ name: 'ThreadLost', statusCode: 503 })
    expect(await count()).toEqual(NOTHING)
  })

  test('refuses an account whose tasks are too many, but not the others', async () => {
    const { promise: isFree, resolve: free } = Promise.withResolvers<void>()
    const first = counter.run('ada', () => isFree)
    const burst = Array.from({ length: queues.figures.waitingEach + 5 }, () =>
      count().catch((error) => error.code),
    )
    const other = count(undefined, { workspaceId: 'eve' as WorkspaceId })
    free()
    expect((await Promise.all(burst)).filter((each) => each === 'rate_limited')).toHaveLength(5)
    expect(await other).toEqual(NOTHING)
    await first
  })

  test('does nothing for a client that has hung up, and nothing once it is stopped', async () => {
    const call = new AbortController()
    call.abort(new Error('hung up'))
    await expect(count(BREAKS, { signal: call.signal })).rejects.toThrow('hung up')
    await counter.stop()
    await expect(count()).rejects.toMatchObject({ name: 'ThreadLost', statusCode: 503 })
  })
})
