import { describe, expect, test } from 'vitest'
import { recordsOf } from '../../../../src/server/codes/imports/file-records.ts'
import { type RowReader, rowReader } from '../../../../src/server/codes/imports/row-reader.ts'
import {
  BITLY,
  BITLY_CUSTOM,
  KUTT,
  SHLINK,
  SHLINK_IMPORT,
  TESSERA,
  YOURLS,
} from '../../../support/exports-of-others.ts'

async function read(text: string) {
  const bytes = Buffer.from(text)
  let reader: RowReader | undefined
  const rows: [number, string, string, string | null, string[]][] = []
  const wrong: unknown[] = []
  for await (const record of recordsOf(bytes)) {
    if (!reader) {
      reader = rowReader(record, 'auto', { publicUrl: 'https://qr.example.com' })
      continue
    }
    const { row, name, url, path, tags, problems, lostPath } = reader.read(record)
    rows.push([row, name, url.replace('https://example.com/', ''), path, tags])
    if (problems.length > 0 || lostPath) wrong.push([row, problems, lostPath])
  }
  return { format: reader?.format, rows, wrong }
}

describe('the export of', () => {
  test('Bitly keeps titles, tags and the ends of its links', async () => {
    expect(await read(BITLY)).toEqual({
      format: 'bitly',
      rows: [
        [2, 'Spring Sale', 'spring?utm_source=flyer', '3abcxyz', ['promo', 'seasonal']],
        [3, 'Summer-Sale', 'summer', 'summer-sale', []],
        [4, 'Two lines, and a “quote”', 'x', 'x1', []],
      ],
      wrong: [[4, [], 'Vanity URL must be at least 3 characters']],
    })
    expect((await read(BITLY_CUSTOM)).rows).toEqual([
      [2, 'Open day', 'open', 'open-day', []],
      [3, '4f8QwzU', 'other', '4f8qwzu', []],
    ])
  })

  test('Shlink keeps short codes, and says of those with a slash that they cannot be had', async () => {
    const { format, rows, wrong } = await read(SHLINK)
    expect(format).toBe('shlink')
    expect(rows.slice(0, 2)).toEqual([
      [2, 'The menu', 'menu', 'menu', ['food', 'print']],
      [3, 'aB3xZ', '2', 'ab3xz', []],
    ])
    expect(wrong).toEqual([[4, [], expect.stringContaining('can only contain letters')]])
    expect(await read(SHLINK_IMPORT)).toMatchObject({
      format: 'shlink',
      rows: [[2, 'The menu', 'menu', 'menu', ['food', 'print']]],
    })
  })

  test('Kutt is what its API answers', async () => {
    expect(await read(KUTT)).toEqual({
      format: 'kutt',
      rows: [
        [2, 'The menu', 'menu', 'menu', []],
        [3, 'Zx9', '2', 'zx9', []],
      ],
      wrong: [],
    })
  })

  test('YOURLS keeps keywords that are long enough', async () => {
    expect(await read(YOURLS)).toEqual({
      format: 'yourls',
      rows: [
        [2, 'The menu | Café "Zur Post"', 'menu', 'menu', []],
        [3, '1', 'one', '1', []],
      ],
      wrong: [[3, [], 'Vanity URL must be at least 3 characters']],
    })
  })

  test('Tessera itself keeps custom URLs, and the short codes of other servers as such', async () => {
    expect(await read(TESSERA)).toEqual({
      format: 'tessera',
      rows: [
        [2, '=Menu', 'menu', 'menu', ['Food', 'Summer']],
        [3, 'Bar', 'bar', 'bcdfghk', []],
      ],
      wrong: [],
    })
  })
})
