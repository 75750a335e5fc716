import { QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { ImportNow } from '#contract/imports.ts'
import {
  faultOf,
  lossText,
  obstacleIn,
  readText,
  roomText,
  stateText,
} from '../../../src/client/codes/import/import-words.ts'
import { keepState } from '../../../src/client/codes/import/queries.ts'
import { tableQuery } from '../../../src/client/codes/list/batch.ts'
import { queryClient } from '../../../src/client/query-client.ts'

const now: ImportNow = {
  id: 'a',
  name: 'rooms.csv',
  format: 'sheet',
  encoding: 'utf-8',
  domain: null,
  state: 'checked',
  columns: [{ name: 'URL', as: 'url', sample: '' }],
  rows: 10,
  problems: 0,
  lostPaths: 0,
  losses: 0,
  done: 0,
  fault: null,
  room: 10,
  madeAt: '2026-11-23T10:00:00.000Z',
  publishedAt: null,
  endsAt: '2026-11-24T10:00:00.000Z',
}

test('a workbook, an empty or a too large file is refused before it is sent', () => {
  expect(faultOf({ name: 'Menu.XLSX', size: 9 })).toMatch(/Excel workbook.*as CSV/)
  expect(faultOf({ name: 'menu.csv', size: 0 })).toBe('This file is empty.')
  expect(faultOf({ name: 'menu.csv', size: 6 * 2 ** 20 })).toMatch(/^This file is 6.0 MB.*split it/)
  expect(faultOf({ name: 'menu', size: 9 })).toBeNull()
})

test('rows with errors hold up nothing, unless none is left or the plan has no room for the others', () => {
  expect(obstacleIn(now)).toBeNull()
  expect(obstacleIn({ ...now, problems: 9, lostPaths: 1, losses: 1 })).toBeNull()
  expect(obstacleIn({ ...now, columns: [], problems: 10 })).toBe('Choose the columns first.')
  expect(obstacleIn({ ...now, problems: 10 })).toBe('No row is ready yet.')
  const wanted = 'Your plan has room for 9 more QR codes, and 10 rows are ready.'
  expect(obstacleIn({ ...now, room: 9 })).toBe(wanted)
  expect(obstacleIn({ ...now, problems: 1, room: 9 })).toBeNull()
  expect(roomText(50, 9_961)).toBe('50 of your remaining 9,961 codes.')
})

test('what codes go without is said before, and how an earlier file stands', () => {
  expect(lossText(now)).toBeNull()
  expect(lossText({ ...now, lostPaths: 1, losses: 3 })).toBe(
    'One custom URL isn’t available: its QR code gets a short link only. 2 rows can’t keep everything.',
  )
  expect(stateText({ ...now, problems: 2 })).toBe('2 of 10 rows with errors')
  expect(stateText({ ...now, problems: 2, state: 'published', done: 8 })).toBe('8 QR codes created')
})

test('the text names the columns that were read', () => {
  const columns: ImportNow['columns'] = [
    { name: 'NAME', as: 'name', sample: '' },
    { name: 'long_url', as: 'url', sample: '' },
    { name: 'clicks', as: null, sample: '' },
  ]
  expect(readText(columns)).toBe('“NAME”, “long_url” as Destination')
})

test('an export asks for what the list shows, in an order that the server knows', () => {
  expect(tableQuery('')).toBe('')
  expect(tableQuery('?q=menu&status=inactive&tag=Spring&importId=a1&sort=-scans&page=3')).toBe(
    '?q=menu&status=inactive&tag=Spring&importId=a1&sort=-scans',
  )
  expect(tableQuery('?sort=-status')).toBe('')
})

test('a reading that began before an import was published does not bring back its state of before', async () => {
  const { promise, resolve } = Promise.withResolvers<ImportNow>()
  const observer = new QueryObserver(queryClient, {
    queryKey: ['/api/imports', now.id],
    queryFn: () => promise,
  })
  const stop = observer.subscribe(() => {})
  await keepState({ ...now, state: 'publishing' })
  resolve(now)
  await expect.poll(() => observer.getCurrentResult().fetchStatus).toBe('idle')
  expect(observer.getCurrentResult().data?.state).toBe('publishing')
  stop()
})
