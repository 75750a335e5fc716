import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  isEnded,
  markEnded,
  removeEnded,
} from '../../../src/server/analytics/record/journal/journal-directory.ts'
import {
  adoptOrphans,
  claimNew,
  type Owned,
} from '../../../src/server/analytics/record/journal/ownership.ts'
import { newFolder } from '../../support/folder.ts'

const PROCESS = new URL('./claiming-process.ts', import.meta.url)

let errors: { journal: string }[]
const log = pino({ level: 'error' }, { write: (line: string) => errors.push(JSON.parse(line)) })

let dataDir: string
let processes: ChildProcess[]
let owned: Owned[]

beforeEach(async () => {
  dataDir = await newFolder()
  processes = []
  errors = []
  owned = []
})
afterEach(async () => {
  for (const each of owned) each.release()
  await Promise.all(processes.map(kill))
})

function start(): ChildProcess {
  const child = fork(PROCESS, { execArgv: ['--expose-gc'] })
  processes.push(child)
  return child
}

async function claimBy(child: ChildProcess, what: 'new' | 'ended'): Promise<string[]> {
  child.send({ what, dataDir })
  const [ids] = await once(child, 'message')
  return ids
}

async function kill(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

/** The journals that this process claims, to be released after the test. */
function claimed(): string[] {
  const now = adoptOrphans(dataDir, log)
  owned.push(...now)
  return now.map(({ id }) => id)
}

function newOne(): Owned {
  const one = claimNew(dataDir, 7)
  owned.push(one)
  return one
}

/** A journal whose process has ended. */
function ended(): Owned {
  const one = newOne()
  one.release()
  return one
}

const inJournal = (name = '') => join(dataDir, 'journal', name)
const names = () => readdirSync(inJournal()).sort()

test('the journal of a running process is not taken, and that of a killed one is', async () => {
  const other = start()
  const [id] = await claimBy(other, 'new')
  // The other process has collected its garbage when it answers again.
  await claimBy(other, 'ended')
  expect(claimed()).toEqual([])
  await kill(other)
  expect(claimed()).toEqual([id])
  expect(claimed()).toEqual([])
})

test('of two processes that start, one takes each journal', async () => {
  const ids = [ended(), ended(), ended()].map(({ id }) => id).sort()
  const both = [start(), start()]
  const got = await Promise.all(both.map((child) => claimBy(child, 'ended')))
  expect(got.flat().sort()).toEqual(ids)
  expect(claimed()).toEqual([])
})

test('the journal of this process is not taken by itself', () => {
  const one = newOne()
  expect(existsSync(one.folder)).toBe(true)
  expect(claimed()).toEqual([])
  one.release()
  expect(claimed()).toEqual([one.id])
})

test('a journal is for its owner alone', () => {
  const { folder } = newOne()
  for (const path of [inJournal(), folder]) expect(statSync(path).mode & 0o077).toBe(0)
})

test('a journal that is folded goes, and its lock with it', () => {
  ended()
  const [one] = adoptOrphans(dataDir, log)
  if (!one) throw new Error('nothing claimed')
  writeFileSync(join(one.folder, '0000000000.seg'), 'scans')
  removeEnded(markEnded(one.folder))
  one.release()
  one.release()
  expect(names()).toEqual([])
})

test('an end that a crash cut short is completed, and never read again', () => {
  const one = ended()
  const folder = markEnded(one.folder)
  expect(isEnded(names().find((name) => !name.endsWith('.lock')) as string)).toBe(true)
  expect(claimed()).toEqual([])
  expect(existsSync(folder)).toBe(false)
})

test('a folder without a lock is an ended process’s', () => {
  mkdirSync(inJournal('1-abc-0123456789'), { recursive: true })
  expect(claimed()).toEqual(['1-abc-0123456789'])
})

test('a lock without a folder goes when it is old: a young one may be just before its folder', () => {
  mkdirSync(inJournal())
  writeFileSync(inJournal('1-young-0123456789.lock'), '')
  writeFileSync(inJournal('1-old-0123456789.lock'), '')
  utimesSync(inJournal('1-old-0123456789.lock'), 1, 1)
  expect(claimed()).toEqual([])
  expect(names()).toEqual(['1-young-0123456789.lock'])
})

test('what is no journal stays as it is', () => {
  mkdirSync(inJournal('lost+found'), { recursive: true })
  writeFileSync(inJournal('refused-scans.jsonl'), '{}')
  expect(claimed()).toEqual([])
  expect(names()).toEqual(['lost+found', 'refused-scans.jsonl'])
})

test('a lock that cannot be opened holds up no other journal, and is told', () => {
  const one = ended()
  mkdirSync(inJournal('2-abc-0123456789'))
  writeFileSync(inJournal('2-abc-0123456789.lock'), 'no lock'.repeat(100))
  expect(claimed()).toEqual([one.id])
  expect(errors.map(({ journal }) => journal)).toContain('2-abc-0123456789')
})

test('a DATA_DIR that cannot be written is told', () => {
  writeFileSync(inJournal(), 'a file')
  expect(() => claimNew(dataDir, 7)).toThrow()
})
