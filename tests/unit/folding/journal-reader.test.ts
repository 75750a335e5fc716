import {
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import {
  type Damage,
  JournalReader,
  type JournalReaderDeps,
  UnreadableJournal,
} from '../../../src/server/analytics/record/folding/journal-reader.ts'
import { BEGINNING, segmentFile } from '../../../src/server/analytics/record/journal/layout.ts'
import type { Position } from '../../../src/server/analytics/store/scans-store.ts'
import { newFolder } from '../../support/folder.ts'
import { JournalFile, journalScan } from '../../support/journal-file.ts'

let file: JournalFile
let damages: Damage[]
beforeEach(async () => {
  file = new JournalFile(join(await newFolder(), 'journal'))
  damages = []
})

const open = (position: Position = BEGINNING, deps: Partial<JournalReaderDeps> = {}) =>
  new JournalReader({
    folder: file.folder,
    position,
    onDamage: (damage) => damages.push(damage),
    ...deps,
  })
const segment = (number: number) => join(file.folder, segmentFile(number))

/** The visitors of the scans that a reader still gives. */
function visitorsFrom(reader: JournalReader, scansMax = 1_000, end?: Position): (string | null)[] {
  const visitors: (string | null)[] = []
  for (let read = reader.read(scansMax, end); read; read = reader.read(scansMax, end)) {
    visitors.push(...read.scans.map(({ visitor }) => visitor))
  }
  return visitors
}

const scansOf = (...visitors: string[]) => visitors.map((visitor) => journalScan({ visitor }))
const [A, B] = ['a'.repeat(16), 'b'.repeat(16)] as const
const [C, D] = ['c'.repeat(16), 'd'.repeat(16)] as const

test('gives each scan with its id, code, instant, kind and visitor', () => {
  const whole = journalScan({ visitor: A, at: 1_800_000_000_000, codeId: 'code ü' })
  const bot = journalScan({ visitor: null, codeId: 'other' })
  bot.kind = { ...bot.kind, class: 'bot', city: null, agent: '' }
  file.write([whole, bot])
  const scans = open().read(10)?.scans ?? []
  expect(scans.map(({ id: _, kind, ...scan }) => ({ ...scan, kind: kind.attributes }))).toEqual([
    whole,
    bot,
  ])
  expect(scans.map(({ kind }) => kind.isPerson)).toEqual([true, false])
  expect(scans.map(({ id }) => id.slice(9))).toEqual(['00000abcdefghij', '00001abcdefghij'])
})

test('takes whole frames until there are enough scans', () => {
  file.write(scansOf(A, B))
  const second = file.write(scansOf(C))
  file.write(scansOf(D))
  const reader = open()
  const first = reader.read(1)
  expect([first?.from, first?.to]).toEqual([BEGINNING, second])
  expect(reader.read(2)?.scans).toHaveLength(2)
  expect(reader.read(2)).toBeUndefined()
})

test('waits at the end, and goes on when there is more', () => {
  const reader = open()
  expect(reader.read(10)).toBeUndefined()
  file.write(scansOf(A))
  expect(visitorsFrom(reader)).toEqual([A])
  file.write(scansOf(B))
  file.rotate()
  file.write(scansOf(C))
  expect(visitorsFrom(reader)).toEqual([B, C])
  expect(damages).toEqual([])
})

test('never reads past what is on disk', () => {
  file.write(scansOf(A))
  const second = file.write(scansOf(B))
  file.rotate()
  file.write(scansOf(C))
  const reader = open()
  expect(visitorsFrom(reader, 10, second)).toEqual([A])
  expect(visitorsFrom(reader, 10, { segment: 0, offset: statSync(segment(0)).size })).toEqual([B])
  expect(visitorsFrom(reader, 10, file.end)).toEqual([C])
})

test('begins anywhere, and knows what the segment said before', () => {
  file.write(scansOf(A))
  const second = file.write(scansOf(B))
  file.rotate()
  file.write(scansOf(C))
  expect(visitorsFrom(open(second))).toEqual([B, C])
})

test('wherever the last write is torn, it gives the frames before, and no more', () => {
  file.write(scansOf(A, B))
  const second = file.write(scansOf(C, D))
  const whole = readFileSync(segment(0))
  const torn = fc.integer({ min: second.offset, max: whole.length - 1 })
  const property = fc.property(torn, (bytes) => {
    writeFileSync(segment(0), whole)
    truncateSync(segment(0), bytes)
    expect(visitorsFrom(open())).toEqual([A, B])
  })
  fc.assert(property)
  expect(damages).toEqual([])
})

test('a file that was used before has nothing behind its newest frame', () => {
  file.write(scansOf(A, B, C))
  const old = readFileSync(segment(0))
  file.rotate()
  file.write(scansOf(D))
  old.set(readFileSync(segment(1)))
  writeFileSync(segment(1), old)
  expect(visitorsFrom(open())).toEqual([A, B, C, D])
  expect(damages).toEqual([])
})

test('a bit that changed ends the segment; it goes on in the next and tells how much is lost', () => {
  file.write(scansOf(A))
  const second = file.write(scansOf(B))
  const third = file.write(scansOf(C))
  const lost = file.end.offset - second.offset
  file.rotate()
  file.write(scansOf(D))
  const bytes = readFileSync(segment(0))
  const position = fc.tuple(
    fc.integer({ min: 0, max: third.offset - second.offset - 1 }),
    fc.integer({ min: 0, max: 7 }),
  )
  const property = fc.property(position, ([byte, bit]) => {
    damages = []
    const changed = Buffer.from(bytes)
    changed[second.offset + byte] = (changed[second.offset + byte] as number) ^ (1 << bit)
    writeFileSync(segment(0), changed)
    expect(visitorsFrom(open())).toEqual([A, D])
    expect(damages).toEqual([{ segment: 0, bytes: lost }])
  })
  fc.assert(property)
})

test('in the segment that is still written it waits at a damage', () => {
  file.write(scansOf(A))
  const second = file.write(scansOf(B))
  writeSync(openSync(segment(0), 'r+'), 'x', second.offset + 30)
  const reader = open()
  expect(visitorsFrom(reader, 10, file.end)).toEqual([A])
  expect(reader.position).toEqual(second)
  expect(damages).toEqual([])
})

test('if what a segment said before cannot be read, its later scans cannot either', () => {
  file.write(scansOf(A))
  const second = file.write(scansOf(B))
  file.rotate()
  file.write(scansOf(C))
  writeSync(openSync(segment(0), 'r+'), 'x', BEGINNING.offset + 30)
  expect(visitorsFrom(open(second))).toEqual([C])
  expect(damages).toHaveLength(1)
})

test('a segment that is gone is told, and those behind it are read', () => {
  file.write(scansOf(A))
  file.rotate()
  file.write(scansOf(B))
  file.rotate()
  file.write(scansOf(C))
  rmSync(segment(1))
  expect(visitorsFrom(open())).toEqual([A, C])
  expect(damages).toEqual([{ segment: 0, bytes: 0 }])
})

test('a journal of a newer version is not read at all', () => {
  file.write(scansOf(A))
  const header = readFileSync(segment(0)).subarray(0, BEGINNING.offset)
  header.writeUInt32LE(2, 8)
  header.writeUInt32LE(crc32(header.subarray(0, 60)), 60)
  writeSync(openSync(segment(0), 'r+'), header)
  expect(() => open().read(10)).toThrow(UnreadableJournal)
})
