import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Location } from '../../src/server/database/connect.ts'
import { settingsOf } from './process.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Runs a script of the project on these data, as its command does. */
export function runScript(
  name: string,
  { dataDir, location }: { dataDir: string; location: Location },
  ...options: string[]
) {
  const env = { ...process.env, DATA_DIR: dataDir, ...settingsOf(location) }
  return promisify(execFile)('node', [`scripts/${name}.ts`, ...options], { cwd: ROOT, env })
}
