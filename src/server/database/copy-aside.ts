import { randomUUID } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { open, readdir, rename, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import { DAY_MS, HOUR_MS } from '#contract/time.ts'
import type { Clock } from '../clock.ts'
import type { Job } from '../jobs.ts'
import type { Database, Location } from './connect.ts'

const KEPT_MS = 7 * DAY_MS
/** A copy that was not finished in this time never will be. */
const UNFINISHED_MS = HOUR_MS
const UNFINISHED = '.unfinished'
/** Free space that a copy needs, in sizes of the database: one for itself, one for the migrations. */
const ROOM = 2

type File = Location & { engine: 'sqlite' }

const copiesOf = ({ file }: File) => `${file}.before-`

/**
 * Copies a SQLite database aside before an upgrade, once for each. Where that fails it only warns: an
 * operator who has no room for it needs the upgrade all the same.
 * @param last the name of the upgrade's last migration, which begins with its number
 */
export async function copyAside(
  { reads, location }: Pick<Database, 'reads'> & { location: File },
  last: string,
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>,
): Promise<void> {
  const copy = copiesOf(location) + last.replace(/-.*/, '')
  if (existsSync(copy)) return
  const unfinished = `${copy}.${randomUUID()}${UNFINISHED}`
  try {
    if (!(await hasRoom(location))) throw new Error('the disk has too little room')
    // SQLite writes into an empty file, whose rights stay.
    await writeFile(unfinished, '', { mode: 0o600 })
    await sql`vacuum into ${unfinished}`.execute(reads)
    await flush(unfinished)
    // If another process has migrated since, its own copy is there.
    if (existsSync(copy)) return await rm(unfinished)
    await rename(unfinished, copy)
    await flush(dirname(copy))
    log.info({ file: copy }, 'the database was copied aside, for a week')
  } catch (error) {
    await rm(unfinished, { force: true })
    const reason = (error as Error).message
    log.warn({ reason }, 'the database is not copied aside before its upgrade')
  }
}

async function hasRoom({ file }: File): Promise<boolean> {
  const sizes = [file, `${file}-wal`].map((each) => statSync(each, { throwIfNoEntry: false })?.size)
  const size = sizes.reduce<number>((sum, each = 0) => sum + each, 0)
  const { bavail, bsize } = await statfs(dirname(file))
  return bavail * bsize >= ROOM * size
}

async function flush(path: string): Promise<void> {
  const handle = await open(path)
  await handle.sync().finally(() => handle.close())
}

/** Removes copies that are older than a week. */
export function removeOldCopies(location: Location, clock: Clock): Job {
  return {
    name: 'remove-old-copies',
    everyMs: DAY_MS,
    run: async () => {
      if (location.engine !== 'sqlite') return
      const folder = dirname(location.file)
      const ours = (name: string) => name.startsWith(basename(copiesOf(location)))
      for (const copy of (await readdir(folder)).filter(ours)) {
        const path = join(folder, copy)
        const lifeMs = copy.endsWith(UNFINISHED) ? UNFINISHED_MS : KEPT_MS
        if ((await stat(path)).mtimeMs + lifeMs < clock().getTime()) await rm(path)
      }
    },
  }
}
