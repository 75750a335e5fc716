import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Location } from '../../database/connect.ts'
import { attributeNames, type Scan } from '../store/scan.ts'
import { writeScans } from '../store/write-scans.ts'
import { keepRefused, keepRefusedScans, namesIn } from './journal/journal-directory.ts'

const FILE = /^scans-.+\.jsonl(\.part)?$/

/** The values of a line in their order. The first lines have no UTM parameters, and none has a branch. */
export const spilledColumns = [
  'id',
  'code_id',
  'at',
  ...attributeNames.filter((name) => name !== 'utm' && name !== 'branch'),
  'visitor',
  'utm',
  'branch',
] as const satisfies (keyof Scan)[]

/**
 * Brings scans into the database that versions before the journal could not commit: they are in
 * DATA_DIR/spill, one line each, of which the last may be torn. They have ids of their own, so a file may be
 * folded twice.
 */
export async function foldFormerSpill(location: Location, dataDir: string): Promise<void> {
  const folder = join(dataDir, 'spill')
  for (const name of namesIn(folder).filter((name) => FILE.test(name))) {
    const path = join(folder, name)
    const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
    const scans = new Map(lines.map((line) => [line, scanOfLine(line)]))
    await writeScans(
      location,
      [...scans.values()].filter((scan) => scan !== undefined),
      { keepRefused: (refused) => keepRefusedScans(dataDir, refused) },
    )
    keepRefused(
      dataDir,
      lines.filter((line) => !scans.get(line)),
    )
    rmSync(path, { force: true })
  }
}

function scanOfLine(line: string): Scan | undefined {
  try {
    const values: unknown[] = JSON.parse(line)
    const cells = spilledColumns.map((column, index) => [column, values[index] ?? null])
    const scan = Object.fromEntries(cells)
    return isScan(scan) ? scan : undefined
  } catch {
    return undefined
  }
}

const ALWAYS_THERE = new Set<string>(['id', 'code_id', 'class', 'rule', 'agent'])

/** Whether each value has the type of its column. */
function isScan({ at, ...texts }: Record<string, unknown>): boolean {
  const isRight = ([column, value]: [string, unknown]) =>
    typeof value === 'string' || (value === null && !ALWAYS_THERE.has(column))
  return Number.isSafeInteger(at) && Object.entries(texts).every(isRight)
}
