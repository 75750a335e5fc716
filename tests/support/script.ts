import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Location } from '../../src/server/database/connect.ts'
import { settingsOf } from './process.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export type ScriptPlace = {
  dataDir: string
  location?: Location
  environment?: Record<string, string>
}

/** The environment in which a program finds this place. */
export const environmentOf = ({ dataDir, location, environment }: ScriptPlace) => ({
  ...process.env,
  DATA_DIR: dataDir,
  ...(location && settingsOf(location)),
  ...environment,
})

/** Runs a script of the project on these data, as its command does. */
export function runScript(name: string, place: ScriptPlace, ...options: string[]) {
  const env = environmentOf(place)
  return promisify(execFile)('node', [`scripts/${name}.ts`, ...options], { cwd: ROOT, env })
}
