import { expect, test } from 'vitest'
import type { Target } from '../../../src/server/codes/types.ts'
import { lookUpTogether } from '../../../src/server/redirects/lookups.ts'
import { targetTo } from '../../support/target.ts'

const target = targetTo('https://example.com/')

/** A database that answers when the test says so. */
function database() {
  const queries: { keys: string[]; answer: () => void; fail: () => void }[] = []
  const lookUp = lookUpTogether<Target>(
    (keys) =>
      new Promise((resolve, reject) => {
        const known = keys.filter((key) => key.startsWith('menu'))
        const answer = () => resolve(new Map(known.map((key) => [key, { ...target, id: key }])))
        queries.push({ keys, answer, fail: () => reject(new Error('gone')) })
      }),
  )
  return { queries, lookUp }
}

const names = (count: number) => Array.from({ length: count }, (_, index) => `guess${index}`)

test('names that arrive while the database answers share the next query', async () => {
  const { queries, lookUp } = database()
  const first = lookUp('menu')
  const second = lookUp('guess')
  const others = [...names(5), 'menu2'].map(lookUp)
  expect(queries.map(({ keys }) => keys)).toEqual([['menu'], ['guess']])
  queries[0]?.answer()
  expect(await first).toMatchObject({ id: 'menu' })
  expect(new Set(queries[2]?.keys)).toEqual(new Set([...names(5), 'menu2']))
  for (const query of queries) query.answer()
  expect(await second).toBeUndefined()
  expect((await Promise.all(others)).map((found) => found?.id)).toEqual([
    ...names(5).map(() => undefined),
    'menu2',
  ])
})

test('a query that fails fails only its own names', async () => {
  const { queries, lookUp } = database()
  const [lost, found] = [lookUp('menu1'), lookUp('menu2')]
  queries[0]?.fail()
  queries[1]?.answer()
  await expect(lost).rejects.toThrow('gone')
  expect(await found).toMatchObject({ id: 'menu2' })
})
