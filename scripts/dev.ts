/**
 * Runs the real server on the real build. Any change rebuilds the pages if they are stale and
 * restarts the server, so that what is seen here is what production serves.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Editors write in bursts; wait until a burst is over. */
const SETTLE_MS = 150

let server: ChildProcess | undefined
let timer: NodeJS.Timeout | undefined
let restarting = Promise.resolve()

async function stop(): Promise<void> {
  if (!server || server.exitCode !== null || server.signalCode !== null) return
  server.kill('SIGTERM')
  await once(server, 'exit')
}

async function restart(): Promise<void> {
  const build = spawnSync(process.execPath, ['scripts/build.ts', '--if-stale'], {
    cwd: root,
    stdio: 'inherit',
  })
  // A page with a mistake in it leaves the server running on the last good build.
  if (build.status !== 0) return
  await stop()
  server = spawn(process.execPath, ['src/server/main.ts'], { cwd: root, stdio: 'inherit' })
}

function changed(): void {
  clearTimeout(timer)
  timer = setTimeout(() => {
    restarting = restarting.then(restart)
  }, SETTLE_MS)
}

for (const folder of ['src', 'public']) {
  watch(`${root}${folder}`, { recursive: true }, changed)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void stop().then(() => process.exit(0)))
}
await restart()
