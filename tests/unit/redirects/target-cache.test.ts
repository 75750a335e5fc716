import { describe, expect, test, vi } from 'vitest'
import type { Target } from '../../../src/server/codes/types.ts'
import { TargetCache } from '../../../src/server/redirects/target-cache.ts'
import { targetTo } from '../../support/target.ts'

/** A database whose targets, delays and errors the test decides. */
class Names {
  readonly led = new Map<string, Target>()
  asked = 0
  hold: Promise<void> | undefined
  fault: Error | undefined
  now = 0
  readonly targets = new TargetCache({
    resolve: async (key) => {
      this.asked++
      const found = this.led.get(key)
      await this.hold
      if (this.fault) throw this.fault
      return found
    },
    now: () => this.now,
  })

  /** Delays answers until the returned function is called. */
  pause(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.hold = promise
    return () => {
      this.hold = undefined
      resolve()
    }
  }

  /** A database in which `menu` leads to a destination, and a cache that knows it. */
  static async knowing(url: string): Promise<Names> {
    const names = new Names()
    names.led.set('menu', targetTo(url))
    await names.urlOf('menu')
    return names
  }

  async urlOf(key: string): Promise<string | undefined> {
    const known = this.targets.get(key)
    return (known ? known.target : await this.targets.lookUp(key))?.destination.url
  }
}

describe('the names in the cache', () => {
  test('are looked up once for all requests at the same time', async () => {
    const names = new Names()
    names.led.set('menu', targetTo('a'))
    expect(await Promise.all([names.urlOf('menu'), names.urlOf('menu')])).toEqual(['a', 'a'])
    expect(await names.urlOf('menu')).toBe('a')
    expect(names.asked).toBe(1)
  })

  test('that are announced lead to the new destination at once', async () => {
    const names = await Names.knowing('old')
    names.led.set('menu', targetTo('new'))
    names.targets.invalidate(['menu'])
    expect(await names.urlOf('menu')).toBe('new')
  })

  test('that led nowhere are looked up at once if any may have changed', async () => {
    const names = new Names()
    await names.urlOf('menu')
    names.led.set('menu', targetTo('new'))
    names.targets.invalidateAll()
    expect(await names.urlOf('menu')).toBe('new')
  })

  test('whose announcement was missed are looked up again after ten seconds', async () => {
    const names = await Names.knowing('old')
    names.led.set('menu', targetTo('new'))
    names.now = 9_999
    expect(await names.urlOf('menu')).toBe('old')
    names.now = 10_000
    expect(await names.urlOf('menu')).toBe('new')
  })

  test('that are unknown are remembered until they are announced', async () => {
    const names = new Names()
    expect(await names.urlOf('soon')).toBeUndefined()
    expect(names.targets.get('soon')).toEqual({ target: undefined, checkedAt: 0 })
    names.led.set('soon', targetTo('a', 'soon'))
    names.targets.invalidate(['soon'])
    expect(await names.urlOf('soon')).toBe('a')
  })

  test('that are unknown are looked up again after two seconds', async () => {
    const names = new Names()
    await names.urlOf('soon')
    names.led.set('soon', targetTo('a', 'soon'))
    names.now = 1_999
    expect(await names.urlOf('soon')).toBeUndefined()
    names.now = 2_000
    expect(await names.urlOf('soon')).toBe('a')
  })

  test('come from the database at once where it can answer at once', async () => {
    let canAnswer = true
    const targets = new TargetCache({
      resolve: async () => targetTo('waited for'),
      resolveNow: () => (canAnswer ? { target: targetTo('at once') } : undefined),
    })
    expect(targets.get('menu')).toBeUndefined()
    expect(targets.getNow('menu')?.target?.destination.url).toBe('at once')
    expect(targets.get('menu')?.target?.destination.url).toBe('at once')
    canAnswer = false
    expect(targets.getNow('other')).toBeUndefined()
    expect(await targets.lookUp('other')).toEqual(targetTo('waited for'))
  })

  test('that are unknown never push a code out of the cache', async () => {
    const names = await Names.knowing('a')
    for (let number = 0; number < 60_000; number++) await names.targets.lookUp(`no-${number}`)
    expect(names.targets.get('menu')?.target?.destination.url).toBe('a')
  })

  test.each(['invalidate', 'invalidateAll'] as const)(
    'a look-up under way at %s does not bring the old destination back',
    async (change) => {
      const names = new Names()
      names.led.set('menu', targetTo('old'))
      const answer = names.pause()
      const before = names.urlOf('menu')
      names.hold = undefined
      names.led.set('menu', targetTo('new'))
      names.targets[change](['menu'])
      expect(await names.urlOf('menu')).toBe('new')
      answer()
      await before
      expect(await names.urlOf('menu')).toBe('new')
    },
  )

  test('keep their target while the database fails, and unknown ones fail', async () => {
    const names = await Names.knowing('a')
    names.fault = new Error('gone')
    names.now = 60_000
    expect(await names.urlOf('menu')).toBe('a')
    await expect(names.urlOf('other')).rejects.toThrow('gone')
    names.fault = undefined
    names.led.set('menu', targetTo('b'))
    names.now = 70_000
    expect(await names.urlOf('menu')).toBe('b')
  })

  test('that are invalidated all at once are looked up again, and serve if that fails', async () => {
    const names = await Names.knowing('old')
    names.targets.invalidateAll()
    names.fault = new Error('gone')
    expect(await names.urlOf('menu')).toBe('old')
    names.fault = undefined
    names.led.set('menu', targetTo('new'))
    names.targets.invalidateAll()
    expect(await names.urlOf('menu')).toBe('new')
  })

  test('keep their target while the database hangs; unknown ones fail in the end', async () => {
    vi.useFakeTimers()
    const names = await Names.knowing('a')
    names.now = 60_000
    const answer = names.pause()
    const known = names.urlOf('menu')
    const unknown = expect(names.urlOf('other')).rejects.toThrow('takes too long')
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await known).toBe('a')
    await unknown
    answer()
    vi.useRealTimers()
    names.led.set('other', targetTo('b', 'other'))
    names.targets.invalidate(['other'])
    expect(await names.urlOf('other')).toBe('b')
  })
})
