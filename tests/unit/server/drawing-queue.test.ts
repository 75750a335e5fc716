import { expect, test } from 'vitest'
import { DrawingQueue, type Lane } from '../../../src/server/pictures/drawing-queue.ts'

function queueOf(jobs: [job: string, lane: Lane][]) {
  const queue = new DrawingQueue<string>({ drawing: 2, check: 1 })
  const taken = jobs.map(([job, lane]) => queue.add(job, lane))
  return { queue, taken }
}

function rest(queue: DrawingQueue<string>, mayBegin: (lane: Lane) => boolean = () => true) {
  const jobs: string[] = []
  for (let job = queue.next(mayBegin); job; job = queue.next(mayBegin)) jobs.push(job)
  return jobs
}

test('drawings go before checks, each in the order of asking', () => {
  const { queue } = queueOf([
    ['check', 'check'],
    ['first', 'drawing'],
    ['second', 'drawing'],
  ])
  expect(rest(queue)).toEqual(['first', 'second', 'check'])
})

test('what may not begin is passed by and keeps its place', () => {
  const { queue } = queueOf([
    ['drawing', 'drawing'],
    ['check', 'check'],
  ])
  expect(rest(queue, (lane) => lane === 'check')).toEqual(['check'])
  expect(rest(queue, (lane) => lane === 'check')).toEqual([])
  expect(rest(queue)).toEqual(['drawing'])
})

test('what there is no room for is not taken, and checks take no room from drawings', () => {
  const { queue, taken } = queueOf([
    ['check', 'check'],
    ['another', 'check'],
    ['first', 'drawing'],
    ['second', 'drawing'],
    ['third', 'drawing'],
  ])
  expect(taken).toEqual([true, false, true, true, false])
  expect(queue.length).toBe(3)
  expect(queue.takeAll()).toEqual(['first', 'second', 'check'])
  expect(queue.length).toBe(0)
})
