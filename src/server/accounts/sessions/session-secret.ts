import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readIfThere } from '../../data-folder.ts'

const SECRET_BYTES = 32
const SECRET_MIN_LENGTH = 32

/**
 * The key that signs session cookies: SESSION_SECRET, or one made once and stored in DATA_DIR.
 * @throws when the stored one is damaged
 */
export function sessionSecret(config: { sessionSecret?: string; dataDir: string }): string {
  if (config.sessionSecret) return config.sessionSecret
  mkdirSync(config.dataDir, { recursive: true })
  const file = secretFile(config)
  const saved = readText(file) ?? makeOnce(file)
  if (saved.length >= SECRET_MIN_LENGTH) return saved
  throw new Error(`${file} is damaged: restore it, or delete it, which signs all users out`)
}

const secretFile = ({ dataDir }: { dataDir: string }) => join(dataDir, 'session-secret')

const readText = (file: string) => readIfThere(file)?.toString().trim()

/** The same key for a program that changes nothing; undefined before the first start. */
export const knownSecret = (config: { sessionSecret?: string; dataDir: string }) =>
  config.sessionSecret ?? readText(secretFile(config))

/** The file gets its name when it is complete, so two processes that start at once read the same key. */
function makeOnce(file: string): string {
  const own = `${file}.${randomBytes(8).toString('hex')}`
  writeFileSync(own, randomBytes(SECRET_BYTES).toString('base64url'), { mode: 0o600, flush: true })
  try {
    linkSync(own, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(own)
  }
  return readFileSync(file, 'utf8')
}
