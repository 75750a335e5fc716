import { readdirSync, readFileSync } from 'node:fs'
import { platform } from 'node:os'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  type Asker,
  DrawingPool,
  type PoolOptions,
} from '../../../src/server/pictures/drawing-pool.ts'
import type { DrawingTask } from '../../../src/server/pictures/drawing-thread.ts'
import { Drawings } from '../../../src/server/pictures/drawings.ts'
import { drawPicture, type Picture } from '../../../src/server/pictures/pictures.ts'
import { TEST_LIMIT_MS } from '../../support/limits.ts'
import { BREAKS, DESIGN, HANGS, UNRULY_THREAD } from '../../support/unruly-looks.ts'

const PICTURE: Picture = { ...DESIGN, format: 'png', size: 256 }
const LOST = { name: 'ThreadLost', statusCode: 503 }

const coloured = (foreground: string): Picture => ({ ...PICTURE, foreground })

const pools: DrawingPool[] = []

function newPool(options: Partial<PoolOptions> = {}) {
  // On a busy machine a task may take longer than it may in the service.
  const patient = { taskMs: TEST_LIMIT_MS, stopMs: 100 }
  const pool = new DrawingPool({ thread: UNRULY_THREAD, size: 3, ...patient, ...options })
  pools.push(pool)
  return pool
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.stop()))
})

const ADA = { owner: 'ada' }
const EVE = { owner: 'eve' }

const draw = (pool: DrawingPool, picture: Picture = PICTURE, asker: Asker = ADA) =>
  pool.run({ kind: 'picture', picture }, asker)
const check = (pool: DrawingPool, foreground: string, asker: Asker = ADA) =>
  pool.run({ kind: 'check', check: { design: { ...DESIGN, foreground }, size: 512 } }, asker)

/** The outcome of a task, so that no rejection is unhandled while the test looks elsewhere. */
const outcome = (result: Promise<unknown>) =>
  result.then(
    () => 'done',
    (error: Error) => error,
  )

describe('the drawing pool', () => {
  test('draws what the engine draws', async () => {
    const pool = newPool()
    for (const format of ['png', 'svg', 'jpg', 'pdf'] as const) {
      const picture: Picture = { ...PICTURE, format, printSize: 50 }
      const [here, there] = [await drawPicture(picture), await draw(pool, picture)]
      expect(there.contentType).toBe(here.contentType)
      expect(Buffer.compare(there.bytes, here.bytes)).toBe(0)
    }
  })

  test.each([
    ['size', { size: 30 }],
    ['ecc', { text: 'x'.repeat(3_000), ecc: 'H' as const }],
  ])('says that the engine refuses the %s', async (field, change) => {
    const drawing = draw(newPool(), { ...PICTURE, ...change })
    await expect(drawing).rejects.toMatchObject({
      code: 'invalid_input',
      fields: { [field]: expect.any(String) },
    })
  })

  test('has no thread until one is needed, and none again after a rest', async () => {
    const pool = newPool({ idleMs: 50 })
    expect(pool.threads).toBe(0)
    await draw(pool)
    await expect.poll(() => pool.threads).toBe(0)
    expect((await draw(pool)).contentType).toBe('image/png')
  })

  test('gives up a task that takes too long, and its thread', async () => {
    const pool = newPool({ taskMs: 100 })
    await expect(draw(pool, coloured(HANGS))).rejects.toMatchObject(LOST)
    expect(pool.threads).toBe(0)
  })

  test('keeps a thread for drawings while it checks, and for checks while it draws', async () => {
    const pool = newPool({ size: 2 })
    const hanging = [outcome(check(pool, HANGS)), outcome(check(pool, HANGS))]
    await draw(pool)
    await draw(pool)
    expect([pool.performed, pool.waiting]).toEqual([{ drawings: 2, checks: 1 }, 1])
    await pool.stop()
    expect(await Promise.all(hanging)).toEqual([expect.any(Error), expect.any(Error)])

    const other = newPool({ size: 2 })
    const drawings = [outcome(draw(other, coloured(HANGS))), outcome(draw(other))]
    await check(other, '#000000')
    expect([other.performed, other.waiting]).toEqual([{ drawings: 1, checks: 1 }, 1])
    await other.stop()
    expect(await Promise.all(drawings)).toEqual([expect.any(Error), expect.any(Error)])
  })

  test('goes on when a thread breaks, which fails that one’s task only', async () => {
    const pool = newPool()
    const outcomes = await Promise.all(
      ['#000000', BREAKS, '#000001', BREAKS, BREAKS, '#000002'].map((colour) =>
        outcome(draw(pool, coloured(colour))),
      ),
    )
    const lost = expect.objectContaining(LOST)
    expect(outcomes).toEqual(['done', lost, 'done', lost, lost, 'done'])
  })

  test('fails a task whose thread cannot start', async () => {
    const pool = newPool({ thread: new URL('file:///nowhere/drawing-thread.ts') })
    await expect(draw(pool)).rejects.toMatchObject(LOST)
    expect(pool.threads).toBe(0)
  })

  test('lets what it has taken on end when it is stopped, and takes nothing on again', async () => {
    const pool = newPool({ stopMs: 20_000 })
    const drawings = Array.from({ length: 10 }, () => outcome(draw(pool)))
    await pool.stop()
    expect(new Set(await Promise.all(drawings))).toEqual(new Set(['done']))
    await expect(draw(pool)).rejects.toMatchObject({ code: 'unavailable' })
    expect(pool.threads).toBe(0)
  })

  test('stops though its threads hang', async () => {
    const pool = newPool()
    const tasks = [ADA, EVE, EVE].map((asker) => outcome(draw(pool, coloured(HANGS), asker)))
    await pool.stop()
    expect(await Promise.all(tasks)).toEqual([
      expect.objectContaining(LOST),
      expect.objectContaining(LOST),
      expect.objectContaining({ code: 'unavailable' }),
    ])
    expect(pool.threads).toBe(0)
  })

  test.runIf(platform() === 'linux')('lowers the priority of its threads alone', async () => {
    const before = niceness()
    await draw(newPool())
    const after = niceness()
    const since = Object.entries(after).filter(([thread]) => !(thread in before))
    const ended = Object.keys(before).filter((thread) => !(thread in after))
    for (const thread of ended) delete before[thread]
    expect(after).toMatchObject(before)
    expect(Math.max(...since.map(([, nice]) => nice))).toBeGreaterThanOrEqual(10)
  })
})

/** The niceness of each of this process's threads: field 19 of its stat (proc(5)) */
function niceness(): Record<string, number> {
  const threads = readdirSync('/proc/self/task').map((id) => {
    const stat = readFileSync(`/proc/self/task/${id}/stat`, 'utf8')
    return [id, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])]
  })
  return Object.fromEntries(threads)
}

/** Drawings of a pool that answers at once, unless told to fail. */
function drawingsOf({ fails = false } = {}) {
  const run = vi.fn(async (task: DrawingTask) => {
    if (fails) throw new Error('broken')
    return { kind: task.kind }
  })
  return { drawings: new Drawings({ run } as unknown as DrawingPool), run }
}

describe('drawings', () => {
  test('of the same thing are made once for all who ask before it is done', async () => {
    const { drawings, run } = drawingsOf()
    const same = [PICTURE, PICTURE, { ...PICTURE, foreground: '#000', background: '#FFF' }]
    const results = await Promise.all(same.map((picture) => drawings.picture(picture, ADA)))
    expect(new Set(results).size).toBe(1)
    const archive = { pictures: [PICTURE], stem: 'Menu' }
    await Promise.all([drawings.archive(archive, ADA), drawings.archive({ ...archive }, ADA)])
    await Promise.all([drawings.checkLook(DESIGN, ADA), drawings.checkLook({ ...DESIGN }, ADA)])
    expect(run).toHaveBeenCalledTimes(3)
  })

  test('that differ in anything are made each', async () => {
    const { drawings, run } = drawingsOf()
    const changes = [{}, { size: 257 }, { ecc: 'Q' as const }, { printSize: 20 }]
    await Promise.all(changes.map((change) => drawings.picture({ ...PICTURE, ...change }, ADA)))
    const archive = { pictures: [PICTURE], stem: 'Menu' }
    await Promise.all([
      drawings.archive(archive, ADA),
      drawings.archive({ ...archive, stem: 'Bar' }, ADA),
    ])
    expect(run).toHaveBeenCalledTimes(6)
  })

  test('are made again once they are done, but for verdicts', async () => {
    const { drawings, run } = drawingsOf()
    for (let round = 0; round < 2; round++) {
      await drawings.picture(PICTURE, ADA)
      await drawings.checkLook(DESIGN, ADA)
    }
    expect(run).toHaveBeenCalledTimes(3)
  })

  test('that all who asked for have given up are dropped, and made again for the next', async () => {
    const signals: (AbortSignal | undefined)[] = []
    const run = async (_task: DrawingTask, { signal }: Asker) => {
      signals.push(signal)
      return new Promise((_, reject) =>
        signal?.addEventListener('abort', () => reject(signal.reason)),
      )
    }
    const drawings = new Drawings({ run } as unknown as DrawingPool)
    const calls = [new AbortController(), new AbortController()]
    const asked = calls.map(({ signal }) => outcome(drawings.picture(PICTURE, { ...ADA, signal })))
    calls[0]?.abort()
    await expect.poll(() => signals.map((signal) => signal?.aborted)).toEqual([false])
    calls[1]?.abort(new Error('hung up'))
    const hangUpSignal = expect.objectContaining({ message: 'hung up' })
    expect(await Promise.all(asked)).toEqual([hangUpSignal, hangUpSignal])
    outcome(drawings.picture(PICTURE, ADA))
    await expect.poll(() => signals.map((signal) => signal?.aborted)).toEqual([true, false])
  })

  test('that failed are tried again at the next call', async () => {
    const { drawings, run } = drawingsOf({ fails: true })
    const both = [drawings.checkLook(DESIGN, ADA), drawings.checkLook(DESIGN, ADA)]
    const broken = expect.objectContaining({ message: 'broken' })
    expect(await Promise.all(both.map(outcome))).toEqual([broken, broken])
    await expect(drawings.checkLook(DESIGN, ADA)).rejects.toThrow('broken')
    expect(run).toHaveBeenCalledTimes(2)
  })
})
