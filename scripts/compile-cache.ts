import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const LIMIT_MS = 20_000

const SERVER = 'src/server/main.ts'
/** The server runs these in threads, and only later. Run outside a thread they end by themselves. */
export const THREADS = [
  'src/server/pictures/drawing-thread.ts',
  'src/server/pictures/checks.ts',
  'src/server/accounts/passwords/hash-thread.ts',
]

type Run = { root: string; env: Record<string, string>; limitMs: number }

/**
 * Starts the server once, on an empty folder, and ends it. Node then has the compiled code on disk:
 * later starts are quicker and need 40 MB less, since they do not load the program that strips types.
 * Happens once for each state of the server's code. A machine that is too slow for it gets a warning
 * and starts all the same; the server then fills the cache itself when it ends.
 */
export async function fillCompileCache(root: string, stamp: string, limitMs = LIMIT_MS) {
  const stampFile = join(root, 'dist/compile-cache.stamp')
  if (existsSync(stampFile) && (await readFile(stampFile, 'utf8')) === stamp) return
  const cache = join(root, 'dist/compile-cache')
  await rm(cache, { recursive: true, force: true })
  await mkdir(cache, { recursive: true })
  const dataDir = await mkdtemp(join(tmpdir(), 'tessera-warm-'))
  const { PATH = '' } = process.env
  const env = { PATH, NODE_COMPILE_CACHE: cache, DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1' }
  try {
    await runToItsEnd(SERVER, { root, env, limitMs })
    await Promise.all(THREADS.map((program) => runToItsEnd(program, { root, env, limitMs })))
  } catch (error) {
    console.warn(`The server's code is not compiled ahead: ${(error as Error).message}`)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
    await writeFile(stampFile, stamp)
  }
}

/** Ends a server as soon as it reports that it listens. */
function runToItsEnd(program: string, { root, env, limitMs }: Run): Promise<void> {
  const child = spawn(process.execPath, [program], {
    cwd: root,
    env,
    timeout: limitMs,
    killSignal: 'SIGKILL',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child.stdout.on('data', (line: Buffer) => {
    if (line.includes('Tessera is running')) child.kill('SIGTERM')
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      if (code === 0) return resolve()
      const how = signal ? `was not done after ${limitMs / 1000} s` : `ended with ${code}`
      reject(new Error(`${program} ${how}`))
    })
  })
}
