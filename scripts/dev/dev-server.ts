import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Editors write in bursts. */
const SETTLE_MS = 50
const PROBE_MS = 20
const WATCHED = ['src/server', 'src/contract', 'src/qr']

/** The real server in a process of its own, on a port of its own, restarted at every edit. */
export class DevServer {
  readonly #root: string
  readonly #environment: Record<string, string>
  #port = 0
  #child: ChildProcess | undefined
  #restarts: Promise<void> = Promise.resolve()

  constructor(root: string, environment: Record<string, string>) {
    this.#root = root
    this.#environment = environment
  }

  async start(): Promise<void> {
    this.#port = await freePort()
    let timer: NodeJS.Timeout | undefined
    for (const folder of WATCHED) {
      watch(join(this.#root, folder), { recursive: true }, () => {
        clearTimeout(timer)
        timer = setTimeout(() => this.#restart(), SETTLE_MS)
      })
    }
    this.#restart()
  }

  /** The port of the server once it is ready; null if it has ended, usually by a mistake in the code. */
  async listening(): Promise<number | null> {
    for (;;) {
      await this.#restarts
      if (!isRunning(this.#child)) return null
      if (await answers(this.#port)) return this.#port
      await sleep(PROBE_MS)
    }
  }

  async stop(): Promise<void> {
    if (!isRunning(this.#child)) return
    this.#child.kill('SIGTERM')
    await once(this.#child, 'exit')
  }

  #restart() {
    this.#restarts = this.#restarts.then(async () => {
      await this.stop()
      const env = {
        ...process.env,
        ...this.#environment,
        PORT: String(this.#port),
        HOST: '127.0.0.1',
        NODE_COMPILE_CACHE: 'dist/compile-cache',
      }
      const options = { cwd: this.#root, env, stdio: 'inherit' } as const
      this.#child = spawn(process.execPath, ['src/server/main.ts'], options)
    })
  }
}

function isRunning(child: ChildProcess | undefined): child is ChildProcess {
  return child !== undefined && child.exitCode === null && child.signalCode === null
}

async function answers(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
  return answer?.ok === true
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as { port: number }
  await new Promise((resolve) => probe.close(resolve))
  return port
}
