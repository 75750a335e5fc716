import { existsSync } from 'node:fs'
import { open } from 'maxmind'
import { DAY_MS, MINUTE_MS } from '#contract/time.ts'
import { greetMailServer } from '../mail/transport.ts'
import { checkDatabase, type DatabaseDeps } from './database-checks.ts'
import { checkDisk } from './disk.ts'
import { type Check, type Finding, say, sayAll } from './finding.ts'
import { checkCertificate, checkProxy } from './public-address.ts'
import { checkSettings } from './settings.ts'
import { checkSqliteFile } from './sqlite-file.ts'

/** Checks that cost little and ask no other server than the database's. */
export function quickChecks(deps: DatabaseDeps): Check[] {
  const { config } = deps
  return [
    { name: 'configuration', look: () => checkSettings(config) },
    { name: 'disk', look: () => checkDisk(config) },
    { name: 'database', look: () => checkDatabase(deps) },
  ]
}

/** Checks that read much or ask other servers. A setting that is not set is not checked. */
export function slowChecks({ config, database, clock }: DatabaseDeps, secret: string): Check[] {
  const { publicUrl, smtpUrl, geoipDatabases } = config
  const { location, reads } = database
  const now = () => clock().getTime()
  const checks: Check[] = [{ name: 'proxy', look: () => checkProxy(config, secret, now()) }]
  if (location.engine === 'sqlite' && existsSync(location.file)) {
    const look = () => checkSqliteFile(location.file, reads)
    checks.unshift({ name: 'database file', look, limitMs: MINUTE_MS })
  }
  if (publicUrl.startsWith('https:')) {
    checks.push({ name: 'certificate', look: () => checkCertificate(publicUrl, now()) })
  }
  if (smtpUrl) {
    const look = () => greetMailServer(smtpUrl).then(() => [say('mail', 'ok')])
    checks.push({ name: 'mail', look })
  }
  if (geoipDatabases.length > 0) {
    checks.push({ name: 'places', look: () => checkPlaces(geoipDatabases, now()) })
  }
  return checks
}

const OLD_PLACES_DAYS = 365

async function checkPlaces(files: string[], now: number): Promise<Finding[]> {
  const readers = await Promise.all(files.map((file) => open(file)))
  const oldest = Math.min(...readers.map(({ metadata }) => metadata.buildEpoch.getTime()))
  const days = Math.floor((now - oldest) / DAY_MS)
  return sayAll('places', { old: days > OLD_PLACES_DAYS }, { days })
}
