import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  Group,
  Numbers,
  ROOM_FOR_SCAN,
} from '../../../src/server/analytics/record/journal/group.ts'
import {
  BEGINNING,
  FRAME_BYTES,
  HEADER_BYTES,
  seedOf,
} from '../../../src/server/analytics/record/journal/layout.ts'
import { seed, times } from '../../support/soak.ts'
import { attributesWith, visitWith } from './classified-visits.ts'
import { type ReadSegment, readSegment } from './read-segment.ts'

const nonce = '0123456789'
const style = { nonce, seed: seedOf(nonce), segmentBytes: 1 << 20 }

function newGroup(frameBytes = FRAME_BYTES) {
  const memory = new SharedArrayBuffer(HEADER_BYTES + frameBytes)
  const group = new Group(memory, 0, frameBytes, style)
  group.begin(BEGINNING, 41)
  return { memory, group }
}

/** The content of the segment that begins with this group. */
function writtenBy({ memory, group }: ReturnType<typeof newGroup>): ReadSegment {
  const { bytes } = group.seal(0)
  return readSegment(Buffer.from(memory).subarray(0, bytes))
}

test('a scan comes back with its code, kind, instant, visitor and counter', () => {
  const made = newGroup()
  const numbers = new Numbers()
  made.group.add('code a', visitWith('visitor-of-16-ch'), 1_700_000_000_123, numbers)
  made.group.add('code b', visitWith(null, { class: 'bot', city: null }), 5, numbers)
  expect(writtenBy(made).scans).toEqual([
    {
      counter: 41,
      codeId: 'code a',
      at: 1_700_000_000_123,
      kind: attributesWith(),
      visitor: 'visitor-of-16-ch',
    },
    {
      counter: 42,
      codeId: 'code b',
      at: 5,
      kind: attributesWith({ class: 'bot', city: null }),
      visitor: null,
    },
  ])
})

test('a text and a kind stand once in a segment', () => {
  const made = newGroup()
  const numbers = new Numbers()
  const seen = visitWith('visitor-of-16-ch')
  for (let scan = 0; scan < 100; scan++) made.group.add(`code ${scan % 3}`, seen, scan, numbers)
  made.group.add('code 0', visitWith(null, { os: 'iOS' }), 100, numbers)
  const { texts, kinds, scans } = writtenBy(made)
  expect(new Set(texts).size).toBe(texts.length)
  expect(kinds).toHaveLength(2)
  expect(scans).toHaveLength(101)
})

test('a visitor that is there after one without is not mixed up', () => {
  const made = newGroup()
  const numbers = new Numbers()
  const kind = attributesWith()
  const visitors = ['aaaaaaaaaaaaaaaa', null, 'bbbbbbbbbbbbbbbb', null]
  for (const visitor of visitors)
    made.group.add('code', { ...visitWith(visitor), attributes: kind }, 1, numbers)
  expect(writtenBy(made).scans.map((scan) => scan.visitor)).toEqual(visitors)
})

test('any text comes back without NUL, as characters, and at most cut at a character', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.string({ unit: fc.integer({ max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
    fc.constantFrom('ÿ'.repeat(512), '€'.repeat(512), '𝒳'.repeat(256), '\ud800x\0', ''),
  )
  const property = fc.property(text, text, fc.option(text), (agent, city, referrer) => {
    const made = newGroup(8 << 10)
    made.group.add('code', visitWith(null, { agent, city, referrer }), 1, new Numbers())
    const kind = writtenBy(made).scans[0]?.kind
    const plain = (value: string) => value.toWellFormed().replaceAll('\0', '')
    expect(kind?.agent).toBe(plain(agent).slice(0, 512))
    expect(plain(city).startsWith(kind?.city as string)).toBe(true)
    expect(Buffer.byteLength(kind?.city as string)).toBeLessThanOrEqual(256)
    if (referrer === null) expect(kind?.referrer).toBe(null)
  })
  fc.assert(property, { seed, numRuns: times(60, 1_000) })
})

test('a group with room has it for a scan of the longest texts', () => {
  const long = '€'.repeat(2_000)
  const rule = (index: number) => `${index}${long}`
  const made = newGroup(2 * ROOM_FOR_SCAN + 64)
  const numbers = new Numbers()
  let scans = 0
  while (made.group.hasRoom) {
    const columns = ['country', 'region', 'city', 'device', 'os', 'browser', 'referrer', 'language']
    const texts = columns.map((column) => [column, `${column}${rule(scans)}`])
    const change = { ...Object.fromEntries(texts), rule: rule(scans), agent: `agent${rule(scans)}` }
    made.group.add(`code ${rule(scans)}`, visitWith(null, change), scans++, numbers)
  }
  expect(scans).toBeGreaterThan(1)
  expect(writtenBy(made).scans).toHaveLength(scans)
})

test('each redirect that waits is given once', () => {
  const { group } = newGroup()
  const given: string[] = []
  group.keep(() => given.push('one'))
  group.keep(() => given.push('two'))
  expect(group.answerAll((answer) => answer())).toBe(2)
  expect(group.answerAll((answer) => answer())).toBe(0)
  expect(given).toEqual(['one', 'two'])
})

test('what is remembered of texts and kinds is bounded, and a cut agent is not remembered', () => {
  const numbers = new Numbers()
  for (let text = 0; text < 60_000; text++) numbers.newText(`text ${text}`)
  expect(numbers.texts.size).toBeLessThanOrEqual(50_000)
  for (let kind = 0; kind < 6_000; kind++) numbers.newKind(attributesWith())
  expect(numbers.kinds.size).toBeLessThanOrEqual(5_000)
  numbers.clear()
  const cut = 'x'.repeat(512)
  expect([numbers.newText(cut), numbers.newText(cut)]).toEqual([1, 2])
  numbers.newKind(attributesWith({ agent: cut }))
  expect([numbers.texts.size, numbers.kinds.size]).toEqual([0, 0])
})
