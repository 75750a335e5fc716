import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { ended } from '../../tests/support/process.ts'
import { freePort } from '../../tests/support/tessera.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Three months of scans are made first. */
const PATIENCE_MS = 10 * 60 * 1000

/** The demo in a process of its own, with its data in a folder of its own. */
export async function startDemo(dataDir: string) {
  const port = String(await freePort())
  const origin = `http://localhost:${port}`
  const env = {
    ...process.env,
    ...{ PORT: port, HOST: '127.0.0.1', PUBLIC_URL: origin, DATA_DIR: dataDir },
  }
  const child = spawn(process.execPath, ['scripts/demo.ts'], { cwd: root, env, stdio: 'inherit' })
  const limit = Date.now() + PATIENCE_MS
  while (!(await fetch(`${origin}/healthz`).catch(() => null))?.ok) {
    if (child.exitCode !== null || Date.now() > limit) throw new Error('the demo did not start')
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return { origin, stop: () => ended(child, 'SIGTERM') }
}
