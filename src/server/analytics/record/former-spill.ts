import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { Location } from '../../database/connect.ts'
import { scanOfLine } from '../store/ledger/scan.ts'
import { keepRefused, namesIn } from './journal/journal-directory.ts'
import { writeScans } from './write-visits.ts'

const FILE = /^scans-.+\.jsonl(\.part)?$/

/**
 * Writes the scans into the ledger that versions before the journal could not commit. They put them into
 * DATA_DIR/spill, a line each; the last line of a process that was killed may be torn. Each scan has its id, so a file
 * may be written twice. What cannot be written now is for the next start.
 */
export async function writeFormerSpill(
  dataDir: string,
  location: Location,
  log: FastifyBaseLogger,
): Promise<void> {
  const folder = join(dataDir, 'spill')
  try {
    for (const name of namesIn(folder).filter((name) => FILE.test(name))) {
      const path = join(folder, name)
      const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
      const scans = lines.flatMap((line) => scanOfLine(line) ?? [])
      await writeScans(location, scans)
      keepRefused(
        dataDir,
        lines.filter((line) => !scanOfLine(line)),
      )
      rmSync(path)
      log.info({ scans: scans.length }, 'spilled scans folded')
    }
  } catch (error) {
    log.error({ err: error }, 'scans of an earlier version wait in DATA_DIR/spill')
  }
}
