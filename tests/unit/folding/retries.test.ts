import { expect, test } from 'vitest'
import {
  FAILURES,
  type FoldingNews,
  newFoldingCounts,
} from '../../../src/server/analytics/record/folding/folding-messages.ts'
import { Retries } from '../../../src/server/analytics/record/folding/pace.ts'

test('what fails is said once, tried later, and it is said when it works again', async () => {
  const counts = newFoldingCounts()
  const news: FoldingNews[] = []
  const retries = new Retries({ counts, tell: (one) => news.push(one) })
  let tries = 0
  const work = async () => {
    tries++
    if (tries < 3) throw new Error('away')
    return 7
  }
  for (let pause = 0; pause !== 7; ) {
    pause = await retries.attempt(work)
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
  expect(tries).toBe(3)
  expect(counts[FAILURES]).toBe(2)
  expect(news).toEqual([{ failed: 'away' }, { recovered: true }])
})
