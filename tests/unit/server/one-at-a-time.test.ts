import { describe, expect, test } from 'vitest'
import { OneAtATime } from '../../../src/server/billing/one-at-a-time.ts'

const soon = () => new Promise((resolve) => setImmediate(resolve))

describe('work of one key', () => {
  test('runs one after the other, in the order of the calls', async () => {
    const turns = new OneAtATime()
    const seen: string[] = []
    const work = (name: string) => async () => {
      seen.push(`${name} begins`)
      await soon()
      seen.push(`${name} ends`)
      return name
    }
    const names = await Promise.all(['a', 'b', 'c'].map((name) => turns.run('key', work(name))))
    expect(names).toEqual(['a', 'b', 'c'])
    expect(seen).toEqual(['a', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]))
  })

  test('goes on after a failure, which only its own caller gets', async () => {
    const turns = new OneAtATime()
    const failed = turns.run('key', () => Promise.reject(new Error('no')))
    const next = turns.run('key', async () => 'done')
    await expect(failed).rejects.toThrow('no')
    expect(await next).toBe('done')
  })

  test('waits for its turn even while other work ends', async () => {
    const turns = new OneAtATime()
    let atWork = 0
    const alone = async () => {
      atWork += 1
      await soon()
      expect(atWork).toBe(1)
      atWork -= 1
    }
    await turns.run('key', alone)
    await Promise.all([turns.run('key', alone), soon().then(() => turns.run('key', alone))])
    expect(atWork).toBe(0)
  })
})

test('work of different keys runs at the same time', async () => {
  const turns = new OneAtATime()
  const gate = Promise.withResolvers<string>()
  const first = turns.run('a', () => gate.promise)
  await turns.run('b', async () => gate.resolve('opened by b'))
  expect(await first).toBe('opened by b')
})
