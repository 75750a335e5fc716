import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const SECRET_BYTES = 32

/** The key that signs session cookies: the configured one, or one made once and kept in DATA_DIR. */
export function sessionSecret(config: { sessionSecret?: string; dataDir: string }): string {
  if (config.sessionSecret) return config.sessionSecret
  mkdirSync(config.dataDir, { recursive: true })
  const file = join(config.dataDir, 'session-secret')
  const fresh = randomBytes(SECRET_BYTES).toString('base64url')
  try {
    // `wx` lets one of two processes that start at once make it; both read the same.
    writeFileSync(file, fresh, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(file, 'utf8')
}
