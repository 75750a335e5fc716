import { expect, test } from 'vitest'
import type { ImportNow } from '#contract/imports.ts'
import {
  faultOf,
  obstacleIn,
  readText,
  unreadText,
} from '../../../src/client/codes/import/import-words.ts'
import { tableQuery } from '../../../src/client/codes/list/code-table-file.ts'

const now: ImportNow = {
  id: 'a',
  name: 'rooms.csv',
  format: 'sheet',
  state: 'checked',
  columns: [],
  rows: 10,
  problems: 0,
  lostPaths: 0,
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
  expect(faultOf({ name: 'menu.csv', size: 6 * 2 ** 20 })).toMatch(/^This file has 6.0 MB/)
  expect(faultOf({ name: 'menu', size: 9 })).toBeNull()
})

test('nothing can be made with errors, without room, or while taken paths are undecided', () => {
  expect(obstacleIn(now, false)).toBeNull()
  expect(obstacleIn({ ...now, problems: 1 }, true)).toMatch(/Change this row/)
  expect(obstacleIn({ ...now, room: 9 }, true)).toBe(
    'Your account has 9 free places. The file has 10 rows.',
  )
  expect(obstacleIn({ ...now, lostPaths: 2 }, false)).toMatch(/^2 custom URLs/)
  expect(obstacleIn({ ...now, lostPaths: 2 }, true)).toBeNull()
})

test('the text names the columns that were read and those that were not', () => {
  const columns: ImportNow['columns'] = [
    { name: 'NAME', as: 'name' },
    { name: 'long_url', as: 'url' },
    { name: 'clicks', as: null },
    { name: '', as: null },
  ]
  expect(readText(columns)).toBe('“NAME”, “long_url” as Destination')
  expect(unreadText(columns)).toBe('“clicks”')
})

test('an export asks for what the list shows, in an order that the server knows', () => {
  expect(tableQuery('')).toBe('')
  expect(tableQuery('?q=menu&status=inactive&tag=Spring&sort=-scans&page=3&edit=1')).toBe(
    '?q=menu&status=inactive&tag=Spring&sort=-scans',
  )
  expect(tableQuery('?sort=-status')).toBe('')
})
