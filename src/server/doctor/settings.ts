import { reachOf } from '#contract/links.ts'
import type { Config } from '../config.ts'
import { type Finding, sayAll } from './finding.ts'

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
