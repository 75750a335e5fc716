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

type Ended = { code: number; stdout: string; stderr: string }

/** Runs a script of the project on these data in a process of its own, as its command does. */
export function runScript(name: string, place: ScriptPlace, ...options: string[]) {
  const env = environmentOf(place)
  return promisify(execFile)('node', [`scripts/${name}.ts`, ...options], { cwd: ROOT, env })
}

/** Thrown where a script ends its process */
class Exit extends Error {}

let runs = 0

/** As runScript does, in this process: a new one takes half a second for its modules. */
export async function runScriptHere(name: string, place: ScriptPlace, ...options: string[]) {
  const ended = await endOf(name, environmentOf(place), options)
  return ended.code === 0 ? ended : Promise.reject(ended)
}

/** Runs a script in this process, one at a time. Returns its exit code and what it wrote. */
export async function endOf(name: string, env: NodeJS.ProcessEnv, options: string[]) {
  const ended: Ended = { code: 0, stdout: '', stderr: '' }
  let isOver = false
  const take = (stream: 'stdout' | 'stderr') => (text: string) => {
    if (!isOver) ended[stream] += `${text}\n`
  }
  const exit = (code: number): never => {
    // A script may catch the exit, and end itself once more.
    if (!isOver) ended.code = code
    isOver = true
    throw new Exit()
  }
  const { argv, env: ownEnv, exit: ownExit } = process
  const { log, error } = console
  const umask = process.umask()
  Object.assign(process, { argv: ['node', name, ...options], env, exit })
  Object.assign(console, { log: take('stdout'), error: take('stderr') })
  try {
    await import(`../../scripts/${name}.ts?run=${++runs}`)
  } catch (fault) {
    if (!(fault instanceof Exit)) throw fault
  } finally {
    process.umask(umask)
    Object.assign(process, { argv, env: ownEnv, exit: ownExit })
    Object.assign(console, { log, error })
  }
  return ended
}
