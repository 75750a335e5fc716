import { allSegments } from './analytics/record/journal/ownership.ts'
import { type BackupReport, makeBackup } from './backup/make-backup.ts'
import type { Config } from './config.ts'
import { connect, locationOf } from './database/connect.ts'
import { readVersion } from './version.ts'
import { serveTasks } from './work-threads.ts'

/* Makes backups: for `npm run backup`, and as a thread for the service. It delays no redirect. */

export type BackupOrder = {
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'scans' | 'backupKey'>
  secret: string
  file: string
}

/** Makes a backup of the server with these settings, from a database connection of its own. */
export async function backUp({ config, secret, file }: BackupOrder): Promise<BackupReport> {
  const { dataDir, backupKey } = config
  const database = connect(locationOf(config), () => {})
  const deps = {
    database,
    dataDir,
    secret,
    backupKey,
    version: readVersion(),
    segmentsIn: allSegments,
  }
  return makeBackup(deps, file, new Date()).finally(() => database.close())
}

serveTasks(backUp)
