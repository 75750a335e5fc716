import { join } from 'node:path'
import { DAY_MS } from '#contract/time.ts'
import type { Clock } from '../../../clock.ts'
import type { Db } from '../../../database/schema.ts'
import { type Check, type Finding, sayAll } from '../../../doctor/finding.ts'
import { beginningOf, bytesBeforeLast, isLeft, namesIn } from './journal-directory.ts'
import { hasEnded, journalIds } from './ownership.ts'

const MB = 1024 ** 2

type Deps = {
  db: Db
  dataDir: string
  clock: Clock
  /** Whether to look for ended processes: only a process without a journal may (`hasEnded`). */
  looksForEnded?: boolean
}

/** Finds scans in DATA_DIR that are not in the database, and journals that are elsewhere. */
export const journalCheck = (deps: Deps): Check => ({
  name: 'journal',
  look: () => findJournals(deps),
})

async function findJournals(deps: Deps): Promise<Finding[]> {
  const { db, dataDir, clock, looksForEnded = false } = deps
  const now = clock().getTime()
  const folder = join(dataDir, 'journal')
  const ids = journalIds(dataDir)
  const rows = await db.selectFrom('journals').selectAll().execute()
  const bytes = ids.map((id) => {
    const position = rows.find((row) => row.id === id) ?? beginningOf(join(folder, id))
    return bytesBeforeLast(join(folder, id), position)
  })
  const mb = Math.ceil(bytes.reduce((sum, some) => sum + some, 0) / MB)
  const ended = looksForEnded ? ids.filter((id) => hasEnded(dataDir, id)) : []
  const left = namesIn(folder).filter(isLeft)
  const foreign = rows.filter(({ id, at }) => !ids.includes(id) && now - at > DAY_MS)
  const conditions = {
    ended: ended.length > 0,
    left: left.length > 0,
    foreign: foreign.length > 0,
  }
  return sayAll('journal', conditions, {
    count: ids.length,
    mb,
    ended: ended.join(', '),
    left: left.join(', '),
    foreign: foreign.map(({ id }) => id).join(', '),
  })
}
