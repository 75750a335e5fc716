import { describe, expect, test } from 'vitest'
import { HOUR_MS } from '../../../src/contract/time.ts'
import { codesEndLetter } from '../../../src/server/accounts/notices/notice-letters.ts'
import { dueCodes, isCivilHour } from '../../../src/server/accounts/notices/notices.ts'
import {
  readUnsubscribe,
  unsubscribeUrl,
} from '../../../src/server/accounts/notices/unsubscribe.ts'
import type { PersonId, WorkspaceId } from '../../../src/server/database/ids.ts'
import { localTime } from '../../../src/server/dates.ts'

const NOW = new Date('2026-11-22T10:00:00Z')
const inHours = (id: string, hours: number) => ({
  id,
  workspaceId: 'ada' as WorkspaceId,
  name: `Code ${id}`,
  expiresAt: NOW.getTime() + hours * HOUR_MS,
})

describe('the mails about codes that end', () => {
  const due = (
    codes: ReturnType<typeof inHours>[],
    sent: string[] = [],
    zone: string | null = null,
  ) => dueCodes(codes, { sent: new Set(sent), now: NOW, zone }).map(({ about }) => about)

  test('nothing more than three days before', () => {
    expect(due([inHours('a', 73), inHours('b', 96)])).toEqual([])
  })

  test('a code whose first mail was missed has one mail', () => {
    expect(due([inHours('a', 20)])).toEqual(['a 1'])
  })

  test('codes that end on the same day share a mail, also if one is not due by itself', () => {
    // It is 10:00: both end on the third day from now, the second after 72 hours.
    expect(due([inHours('a', 71), inHours('b', 80), inHours('c', 90)])).toEqual(['a 3', 'b 3'])
  })

  test('the day is that of the owner’s time zone', () => {
    // 22:00 and 10:30 of the next day in UTC are 11:00 and 23:30 of one day in Auckland.
    const codes = [inHours('a', 60), inHours('b', 72.5), inHours('c', 74)]
    expect(due(codes)).toEqual(['a 3'])
    expect(due(codes, [], 'Pacific/Auckland')).toEqual(['a 3', 'b 3'])
  })

  test('a code that has ended is left out', () => {
    expect(due([inHours('a', 0), inHours('b', -5)])).toEqual([])
  })
})

describe('civil hours', () => {
  test.each([
    ['Europe/Berlin', '2026-11-22T07:59:00Z', false],
    ['Europe/Berlin', '2026-11-22T08:00:00Z', true],
    ['Europe/Berlin', '2026-11-22T18:59:00Z', true],
    ['Europe/Berlin', '2026-11-22T19:00:00Z', false],
    ['Asia/Kathmandu', '2026-11-22T03:15:00Z', true],
    ['Asia/Kathmandu', '2026-11-22T03:14:00Z', false],
    [null, '2026-11-22T09:00:00Z', true],
    ['Not/AZone', '2026-11-22T08:59:00Z', false],
  ])('in %s at %s: %s', (zone, instant, civil) => {
    expect(isCivilHour(localTime(new Date(instant), zone).hour)).toBe(civil)
  })

  test('midnight is hour 0 of its day', () => {
    expect(localTime(new Date('2026-11-22T23:00:00Z'), 'Europe/Berlin')).toEqual({
      date: '2026-11-23',
      hour: 0,
    })
  })
})

test('a mail about many codes counts them, names the first, and has one link', () => {
  const codes = Array.from({ length: 25 }, (_, index) => inHours(String(index), 30))
  const place = {
    zone: null,
    locale: null,
    publicUrl: 'https://qr.example',
    unsubscribe: 'https://qr.example/u',
    isProved: true,
  }
  const letter = codesEndLetter(codes, place)
  expect(letter.subject).toBe('25 of your QR codes stop working on Monday, November 23')
  expect(letter.facts).toHaveLength(20)
  expect(letter.paragraphs.at(-1)).toBe('Here are the first 20:')
  expect(letter.button?.url).toBe('https://qr.example/subscription')
})

describe('the link that ends mails', () => {
  const secret = 'a secret of at least 32 characters.'
  const wish = { userId: 'Ada1' as PersonId, kind: 'code-ends' } as const
  const tokenOf = (address: string) => new URL(address).searchParams.get('token') ?? ''
  const token = tokenOf(unsubscribeUrl({ publicUrl: 'https://qr.example', secret }, wish))

  test('says whose and which', () => {
    expect(readUnsubscribe(secret, token)).toEqual(wish)
  })

  test.each([
    ['another account', token.replace('Ada1', 'Bob1')],
    ['another kind', token.replace('code-ends', 'plan-ends')],
    ['a changed signature', `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`],
    ['no signature', 'Ada1.code-ends.'],
    ['one part more', `${token}.x`],
    ['nothing', ''],
    ['very much', 'x'.repeat(10_000)],
  ])('with %s opens nothing', (_what, forged) => {
    expect(readUnsubscribe(secret, forged)).toBeUndefined()
  })

  test('is worth nothing under another key', () => {
    expect(readUnsubscribe('another secret of at least 32 chars', token)).toBeUndefined()
  })
})
