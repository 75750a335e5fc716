import { describe, expect, test } from 'vitest'
import { recordsOf } from '../../../../src/server/codes/imports/file-records.ts'
import { textOfFile } from '../../../../src/server/codes/imports/file-text.ts'
import {
  type KeptParts,
  type RowReader,
  rowReader,
} from '../../../../src/server/codes/imports/row-reader.ts'
import {
  BITLY,
  BITLY_CUSTOM,
  DUB,
  DUB_API,
  KUTT,
  QR_TIGER,
  QR_TIGER_NEW,
  REBRANDLY,
  SHLINK,
  SHLINK_IMPORT,
  SHORT_IO,
  TESSERA,
  YOURLS,
} from '../../../support/exports-of-others.ts'

async function read(text: string) {
  let reader: RowReader | undefined
  const rows: [number, string, string, string | null, string[]][] = []
  const wrong: unknown[] = []
  const days: string[] = []
  const paused: number[] = []
  const all: KeptParts[] = []
  for await (const record of recordsOf(textOfFile('links.csv', Buffer.from(text)).text)) {
    if (!reader) {
      reader = rowReader(record.cells, {
        format: 'auto',
        publicUrl: 'https://qr.example.com',
        domain: null,
        now: new Date('2030-01-01T00:00:00Z'),
      })
      continue
    }
    const { row, name, url, path, tags, createdAt, kept, ...rest } = reader.read(record)
    if (kept.isPaused) paused.push(row)
    all.push(kept)
    const { problems, lostPath, losses } = rest
    if (createdAt !== null) days.push(new Date(createdAt).toISOString().slice(0, 10))
    rows.push([row, name, url.replace('https://example.com/', ''), path, tags])
    if (problems.length > 0 || lostPath) wrong.push([row, problems, lostPath])
    if (losses.length > 0) wrong.push([row, ...losses])
  }
  return { format: reader?.format, rows, wrong, days, paused, all }
}

const TOO_SHORT = 'Vanity URL must be at least 3 characters'

describe('the export of', () => {
  test('Bitly keeps titles, tags and the ends of its links', async () => {
    expect(await read(BITLY)).toMatchObject({
      format: 'bitly',
      rows: [
        [2, 'Spring Sale', 'spring?utm_source=flyer', '3abcxyz', ['promo', 'seasonal']],
        [3, 'Summer-Sale', 'summer', 'summer-sale', []],
        [4, 'Two lines, and a “quote”', 'x', 'x1', []],
      ],
      wrong: [[4, [], TOO_SHORT]],
      days: ['2024-03-01', '2024-06-01', '2024-06-02'],
    })
    expect((await read(BITLY_CUSTOM)).rows).toEqual([
      [2, 'Open day', 'open', 'open-day', []],
      [3, '4f8QwzU', 'other', '4f8qwzu', []],
    ])
  })

  test('Dub keeps the ends of its links, tags and dates', async () => {
    expect(await read(DUB)).toMatchObject({
      format: 'dub',
      rows: [
        [2, 'menu', 'menu', 'menu', ['print', 'food']],
        [3, 'x', '2', 'x', []],
      ],
      wrong: [[3, [], TOO_SHORT]],
      days: ['2024-03-01', '2024-03-02'],
      paused: [3],
    })
    expect(await read(DUB_API)).toMatchObject({
      format: 'dub',
      rows: [[2, 'The menu', 'menu', 'menu-2024', ['food']]],
      days: ['2024-03-01'],
    })
  })

  test('Rebrandly keeps slashtags, titles, tags and dates', async () => {
    expect(await read(REBRANDLY)).toMatchObject({
      format: 'rebrandly',
      rows: [
        [2, 'The menu', 'menu', 'menu', ['food', 'print']],
        [3, '9f8a7b6', '2', '9f8a7b6', []],
      ],
      wrong: [],
      days: ['2023-05-06', '2023-05-07'],
      paused: [3],
    })
  })

  test('Short.io keeps paths that are long enough, both of its tags, and dates', async () => {
    expect(await read(SHORT_IO)).toMatchObject({
      format: 'shortio',
      rows: [
        [2, 'The menu', 'menu', 'menu', ['t1', 't2']],
        [3, 'a', '2', 'a', []],
        [4, 'ever', '3', 'ever', []],
      ],
      wrong: [
        [3, [], TOO_SHORT],
        [4, 'Its end “2031-01-01T00:00:00.000Z” isn’t kept: pause this code then'],
      ],
      days: ['2022-01-02', '2022-01-03', '2022-01-03'],
      paused: [2, 3],
    })
  })

  test('QR TIGER keeps the ends of its short links, and says which date cannot be read', async () => {
    const rows = [
      [2, 'Menu', 'menu', 'ab12', []],
      [3, 'Flyer', '2', 'cd34', []],
    ]
    expect(await read(QR_TIGER)).toMatchObject({
      format: 'qrtiger',
      rows,
      wrong: [[3, expect.stringContaining('“03/04/2024” can’t be read')]],
      days: ['2024-03-01'],
    })
    expect(await read(QR_TIGER_NEW)).toMatchObject({
      format: 'qrtiger',
      rows,
      wrong: [[3, 'The status “printed” isn’t known, so this code is active']],
      paused: [2],
    })
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
    expect(await read(KUTT)).toMatchObject({
      format: 'kutt',
      rows: [
        [2, 'The menu', 'menu', 'menu', []],
        [3, 'Zx9', '2', 'zx9', []],
      ],
      wrong: [],
      days: ['2022-01-01', '2022-01-01'],
    })
  })

  test('YOURLS keeps keywords that are long enough', async () => {
    expect(await read(YOURLS)).toMatchObject({
      format: 'yourls',
      rows: [
        [2, 'The menu | Café "Zur Post"', 'menu', 'menu', []],
        [3, '1', 'one', '1', []],
      ],
      wrong: [[3, [], TOO_SHORT]],
      days: ['2019-02-03', '2019-02-03'],
    })
  })

  test('Tessera itself keeps every name, ids, designs and what is paused', async () => {
    expect(await read(TESSERA)).toMatchObject({
      format: 'tessera',
      rows: [
        [2, '=Menu', 'menu', 'menu', ['Food', 'Summer']],
        [3, 'Bar', 'bar', null, []],
      ],
      wrong: [[3, 'Its design can’t be read']],
      days: ['2026-01-02', '2026-01-02'],
      paused: [3],
      all: [
        {
          short: 'bcdfghj',
          former: ['karte'],
          externalId: 'room-1',
          look: { style: 'rounded', compact: true, ecc: 'M', artwork: null },
        },
        { short: 'bcdfghk', former: [], externalId: null, look: null },
      ],
    })
  })
})
