import { type ChildProcess, spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Location } from '../../src/server/database/connect.ts'
import { newFolder } from './folder.ts'
import { freePort } from './free-port.ts'
import { STEP_LIMIT_MS } from './limits.ts'

/** As npm start has it. */
export const SERVER = ['--max-semi-space-size=8', 'src/server/main.ts']

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The real program in a process of its own. */
export type ServerProcess = {
  origin: string
  dataDir: string
  child: ChildProcess
  /** Ends it in order and answers its exit code; its data stay. */
  stop: () => Promise<number | null>
  /** Removes its data. */
  remove: () => Promise<void>
}

type Options = {
  /** Where the program's files are; this checkout without it */
  folder?: string
  dataDir?: string
  port?: number
  environment?: Record<string, string>
  /** A module of tests/support that the server loads before its own. */
  preload?: string
  /** Receives the server's log, which is discarded without it. */
  onLog?: (text: string) => void
  /** The path that must answer 200 first: the server is alive, or it is ready */
  until?: '/healthz' | '/readyz'
}

/** The settings with which a program finds this database; it needs no others on SQLite. */
export const settingsOf = (location: Location): Record<string, string> =>
  location.engine === 'postgres'
    ? {
        DATABASE_URL: location.url,
        SESSION_SECRET: 'x'.repeat(32),
        ...(location.scans && { SCANS_URL: location.scans.url }),
      }
    : {}

/** Starts the server and waits until it answers. */
export async function startProcess(options: Options = {}): Promise<ServerProcess> {
  const dataDir = options.dataDir ?? (await newFolder())
  const port = options.port ?? (await freePort())
  const origin = `http://localhost:${port}`
  const preload = options.preload ? ['--import', `./tests/support/${options.preload}`] : []
  const child = spawn('node', [...preload, ...SERVER], {
    cwd: options.folder ?? ROOT,
    stdio: ['ignore', options.onLog ? 'pipe' : 'ignore', 'inherit'],
    env: {
      ...process.env,
      PORT: String(port),
      HOST: '127.0.0.1',
      PUBLIC_URL: origin,
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
      HEALTH_CHECKS: 'off',
      // As npm start has it.
      NODE_COMPILE_CACHE: 'dist/compile-cache',
      ...options.environment,
    },
  })
  child.stdout?.setEncoding('utf8').on('data', options.onLog ?? (() => {}))
  await answers(origin + (options.until ?? '/readyz'), child)
  return {
    origin,
    dataDir,
    child,
    stop: () => ended(child, 'SIGTERM'),
    remove: () => rm(dataDir, { recursive: true, force: true }),
  }
}

/** Sends a signal by pid and waits for the end. */
export function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve(child.exitCode)
    child.once('exit', (code) => resolve(code))
    child.kill(signal)
  })
}

async function answers(url: string, child: ChildProcess): Promise<void> {
  const limit = Date.now() + STEP_LIMIT_MS
  while (Date.now() < limit) {
    const how = child.exitCode ?? child.signalCode
    if (how !== null) throw new Error(`the server ended with ${how}`)
    const response = await fetch(url).catch(() => undefined)
    if (response?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`${url} did not answer`)
}
