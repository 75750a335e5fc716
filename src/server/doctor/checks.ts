import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { open as openPlaces } from 'maxmind'
import { reachOf } from '#contract/links.ts'
import { DAY_MS, MINUTE_MS } from '#contract/time.ts'
import type { Config } from '../config.ts'
import { greetMailServer } from '../mail/transport.ts'
import { checkDatabase, checkSqliteFile, type DatabaseDeps } from './database-checks.ts'
import { type Check, type Finding, say, sayAll } from './finding.ts'
import { checkCertificate, checkProxy } from './public-address.ts'

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
  const readers = await Promise.all(files.map((file) => openPlaces(file)))
  const oldest = Math.min(...readers.map(({ metadata }) => metadata.buildEpoch.getTime()))
  const days = Math.floor((now - oldest) / DAY_MS)
  return sayAll('places', { old: days > OLD_PLACES_DAYS }, { days })
}

/** A secret with fewer different characters was not made at random. */
const DIFFERENT_CHARACTERS_MIN = 10

/** Settings that the server takes, although they are probably not meant. */
export function checkSettings(config: Config): Finding[] {
  const { publicUrl, sessionSecret, stripe, backups, backupKey } = config
  const reach = reachOf(publicUrl)
  const isPublic = reach === 'anyone'
  const takesTests = config.billing === 'sandbox' || stripe?.mode === 'test'
  const conditions = {
    local: reach === 'device',
    unencrypted: isPublic && publicUrl.startsWith('http:'),
    weak: sessionSecret !== undefined && new Set(sessionSecret).size < DIFFERENT_CHARACTERS_MIN,
    outbox: config.smtpUrl === undefined,
    sandbox: isPublic && takesTests,
    keyless: backups !== undefined && backupKey === undefined,
    empty: config.emptyOk,
  }
  return sayAll('configuration', conditions, { publicUrl })
}

const MB = 1024 ** 2
const SCARCE_BYTES = 1024 * MB
const FULL_BYTES = 100 * MB
const SLOW_FLUSH_MS = 20

/** @throws if DATA_DIR cannot be written. @param probe in tests another disk */
export async function checkDisk(
  { dataDir, journalMax }: Pick<Config, 'dataDir' | 'journalMax'>,
  probe: typeof probeDisk = probeDisk,
): Promise<Finding[]> {
  const { freeBytes, flushMs } = await probe(dataDir)
  const isFull = freeBytes < FULL_BYTES
  const isScarce = !isFull && freeBytes < Math.max(SCARCE_BYTES, journalMax)
  const conditions = { full: isFull, scarce: isScarce, slow: flushMs > SLOW_FLUSH_MS }
  return sayAll('disk', conditions, { mb: Math.floor(freeBytes / MB), ms: flushMs.toFixed(1) })
}

const WRITES = 11
const WRITE_BYTES = 4096

/** Bytes that are free for this user, and the median time until a small write is on the disk. */
async function probeDisk(folder: string) {
  const { bavail, bsize } = await statfs(folder)
  const path = join(folder, `.doctor-${randomUUID()}`)
  const file = await open(path, 'wx', 0o600)
  try {
    const times: number[] = []
    for (let write = 0; write < WRITES; write++) {
      const began = performance.now()
      await file.write(Buffer.alloc(WRITE_BYTES))
      await file.datasync()
      times.push(performance.now() - began)
    }
    times.sort((one, other) => one - other)
    return { freeBytes: bavail * bsize, flushMs: times[Math.floor(WRITES / 2)] ?? 0 }
  } finally {
    await file.close()
    await rm(path)
  }
}
