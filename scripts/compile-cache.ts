import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const START_LIMIT_MS = 20_000

/** What the server runs in threads that it does not start at once; outside a thread they end by themselves. */
const LATER = ['src/server/pictures/drawing-thread.ts', 'src/server/pictures/checks.ts']

/**
 * Starts the server once, on nothing, and ends it: Node then has the server's compiled code on
 * disk, and each later start is quicker and needs 40 MB less, since it need not load the program
 * that strips types. Only worth doing when the server's code has changed.
 */
export async function fillCompileCache(root: string, stamp: string): Promise<void> {
  const stampFile = join(root, 'dist/compile-cache.stamp')
  if (existsSync(stampFile) && (await readFile(stampFile, 'utf8')) === stamp) return
  const cache = join(root, 'dist/compile-cache')
  await rm(cache, { recursive: true, force: true })
  const dataDir = await mkdtemp(join(tmpdir(), 'tessera-warm-'))
  try {
    await runOnce(root, { DATA_DIR: dataDir, NODE_COMPILE_CACHE: cache })
    await Promise.all(LATER.map((program) => load(root, program, cache)))
    await writeFile(stampFile, stamp)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Runs the server until it says that it listens, then ends it in order. */
function runOnce(root: string, settings: Record<string, string>): Promise<void> {
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, ['src/server/main.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH, PORT: '0', HOST: '127.0.0.1', ...settings },
  })
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => child.kill('SIGKILL'), START_LIMIT_MS)
    child.stdout.on('data', (line: Buffer) => {
      if (line.includes('Tessera is running')) child.kill('SIGTERM')
    })
    child.once('error', reject)
    child.once('exit', (code) => {
      clearTimeout(limit)
      if (code === 0) resolve()
      else reject(new Error('The server does not start'))
    })
  })
}

function load(root: string, program: string, cache: string): Promise<void> {
  const { PATH = '' } = process.env
  const env = { PATH, NODE_COMPILE_CACHE: cache }
  const child = spawn(process.execPath, [program], { cwd: root, stdio: 'inherit', env })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`${program} does not load`))
    })
  })
}
