import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { format, promisify } from 'node:util'
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

let last: Promise<unknown> = Promise.resolve()
let runs = 0

/** As runScript does, in this process: a new one takes half a second for its modules. One runs at a time. */
export function runScriptHere(name: string, place: ScriptPlace, ...options: string[]) {
  const running = last.then(() => endOf(name, environmentOf(place), options))
  last = running.catch(() => {})
  return running.then((ended) => (ended.code === 0 ? ended : Promise.reject(ended)))
}

export async function endOf(name: string, env: NodeJS.ProcessEnv, options: string[]) {
  const ended: Ended = { code: 0, stdout: '', stderr: '' }
  let isOver = false
  const take = (stream: 'stdout' | 'stderr') => (text: unknown) => {
    if (!isOver) ended[stream] += `${format(text)}\n`
  }
  const exit = (code = 0): never => {
    // A script's own catch may meet the exit and end it again.
    if (!isOver) ended.code = Number(code)
    isOver = true
    throw new Exit()
  }
  const { argv, env: ownEnv, exit: ownExit } = process
  const { log, error } = console
  Object.assign(process, { argv: ['node', name, ...options], env, exit })
  Object.assign(console, { log: take('stdout'), error: take('stderr') })
  try {
    await import(`../../scripts/${name}.ts?run=${++runs}`)
  } catch (fault) {
    if (!(fault instanceof Exit)) throw fault
  } finally {
    Object.assign(process, { argv, env: ownEnv, exit: ownExit })
    Object.assign(console, { log, error })
  }
  return ended
}
