import { expect, test } from 'vitest'
import { DrawingQueue } from '../../../src/server/codes/drawing-queue.ts'

const limits = { drawings: 2, checks: 1, checkPatienceMs: 1_000 }

function newQueue() {
  const clock = { now: 0 }
  return { clock, queue: new DrawingQueue<string>(limits, () => clock.now) }
}

const rest = (queue: DrawingQueue<string>, mayCheck = true) => {
  const jobs: string[] = []
  for (let job = queue.next({ mayCheck }); job; job = queue.next({ mayCheck })) jobs.push(job)
  return jobs
}

test('drawings go before checks, each in the order of asking', () => {
  const { queue } = newQueue()
  queue.add('check', true)
  queue.add('first', false)
  queue.add('second', false)
  expect(rest(queue)).toEqual(['first', 'second', 'check'])
})

test('a check that has waited long goes before drawings', () => {
  const { queue, clock } = newQueue()
  queue.add('check', true)
  clock.now = 1_001
  queue.add('drawing', false)
  expect(rest(queue)).toEqual(['check', 'drawing'])
})

test('a check waits however long where none may be made', () => {
  const { queue, clock } = newQueue()
  queue.add('check', true)
  queue.add('drawing', false)
  clock.now = 1_001
  expect(rest(queue, false)).toEqual(['drawing'])
  expect(rest(queue)).toEqual(['check'])
})

test('what there is no room for is not taken, and checks take no room from drawings', () => {
  const { queue } = newQueue()
  expect([queue.add('check', true), queue.add('another', true)]).toEqual([true, false])
  const drawings = ['first', 'second', 'third'].map((job) => queue.add(job, false))
  expect(drawings).toEqual([true, true, false])
  expect(queue.length).toBe(3)
  expect(queue.takeAll()).toEqual(['first', 'second', 'check'])
  expect(queue.length).toBe(0)
})
