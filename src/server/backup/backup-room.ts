import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { SECOND_MS } from '#contract/time.ts'
import type { BackupOrder } from '../backup-program.ts'
import { findMark } from '../database/service-marks.ts'
import { gauge } from '../http/metrics.ts'
import { RepeatableTask } from '../repeatable-task.ts'
import type { Room, RoomDeps } from '../room.ts'
import { WorkThread } from '../work-threads.ts'
import type { BackupReport } from './make-backup.ts'

const PROGRAM = new URL('../backup-program.ts', import.meta.url)
const OWNER_FOLDER = 0o700
const BACKUP = /^tessera-[\dTZ-]+\.backup$/
const PART = /^tessera-[\dTZ-]+\.backup\.part$/

type Deps = Pick<RoomDeps, 'config' | 'secret' | 'db' | 'clock' | 'log'>

/** Makes the backups that BACKUP_DIR asks for, and says how old the last one is, also if a command made it. */
export function backupRoom({ config, secret, db, clock, log }: Deps): Room {
  const { backups, dataDir, databaseUrl, scans, backupKey } = config
  let lastAt: number | undefined
  let thread: WorkThread<BackupOrder, BackupReport> | undefined

  const look = new RepeatableTask(async () => {
    const mark = await findMark(db, 'backup').catch(() => undefined)
    if (mark) lastAt = mark.at
  })
  look.soon()

  async function backUp({ folder, kept }: NonNullable<typeof backups>) {
    mkdirSync(folder, { recursive: true, mode: OWNER_FOLDER })
    for (const name of readdirSync(folder)) if (PART.test(name)) rmSync(join(folder, name))
    const file = join(
      folder,
      `tessera-${clock().toISOString().slice(0, 19).replaceAll(':', '-')}Z.backup`,
    )
    thread = new WorkThread({ thread: PROGRAM })
    const { rows, lacksScans, missing } = await thread.perform({
      config: { dataDir, databaseUrl, scans, backupKey },
      secret,
      file,
    })
    log.info({ file, rows }, 'a backup was made')
    if (lacksScans) log.info('scans are in ClickHouse, and not in the backup')
    if (missing.length > 0) log.warn({ journals: missing }, 'scans of other machines are not in it')
    const made = readdirSync(folder)
      .filter((name) => BACKUP.test(name))
      .sort()
    for (const name of made.slice(0, -kept)) rmSync(join(folder, name), { force: true })
    look.soon()
  }

  /** In the background: other jobs do not wait for it. */
  const making = new RepeatableTask(async () => {
    if (!backups) return
    await backUp(backups)
      .catch((error) =>
        log.error({ err: error }, 'no backup could be made; it is tried when the next is due'),
      )
      .finally(() => thread?.end())
  })

  return {
    jobs: backups
      ? [{ name: 'backup', everyMs: backups.everyMs, run: async () => making.soon() }]
      : [],
    metrics: () => {
      look.soon()
      if (lastAt === undefined) return []
      const age = Math.max(0, clock().getTime() - lastAt) / SECOND_MS
      return [gauge('backup_age_seconds', 'Time since the last backup', Math.round(age))]
    },
    stop: async () => {
      const ended = making.stop()
      await thread?.end()
      await ended
      await look.stop()
    },
  }
}
