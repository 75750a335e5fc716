import { readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { newFolder } from '../../tests/support/folder.ts'
import { freePort } from '../../tests/support/free-port.ts'
import { metricOf } from '../../tests/support/metric.ts'
import { ended, type ServerProcess, startProcess } from '../../tests/support/process.ts'
import { threadCpu } from '../thread-cpu.ts'
import { type CpuShare, cpuShare } from './cpu-share.ts'

const LOOK_EVERY_MS = 20

/** One of several servers on one PostgreSQL. It can be killed and starts again on its port and folder. */
export class ScaleServer {
  readonly port: number
  readonly #dataDir: string
  readonly #url: string
  readonly #share: CpuShare | undefined
  #server: ServerProcess | undefined
  #isHeld = false
  /** Microseconds of CPU of the processes that were killed, and what the present one had at its start. */
  #cpuBefore = 0
  #cpuAtStart = 0

  private constructor(url: string, port: number, dataDir: string, share: CpuShare | undefined) {
    this.#url = url
    this.port = port
    this.#dataDir = dataDir
    this.#share = share
  }

  /** @param share of a core that it may have after `hold`, where the machine can hold it to that */
  static async begin(url: string, share: number): Promise<ScaleServer> {
    const port = await freePort()
    const group = cpuShare(`tessera-bench-${port}`, share)
    const server = new ScaleServer(url, port, await newFolder(), group)
    await server.start()
    return server
  }

  get #earlyAnswers() {
    return join(this.#dataDir, 'early-answers')
  }

  async start() {
    this.#server = await startProcess({
      dataDir: this.#dataDir,
      port: this.port,
      preload: 'early-answers.ts',
      environment: {
        DATABASE_URL: this.#url,
        SESSION_SECRET: 'x'.repeat(32),
        EARLY_ANSWERS: this.#earlyAnswers,
      },
    })
    const pid = this.#server.child.pid as number
    this.#cpuAtStart = await ownCpu(pid)
    if (this.#isHeld) this.#share?.hold(pid)
  }

  /** Holds it to its share from now on, and again after each start. Answers whether the machine lets us. */
  hold(): boolean {
    this.#isHeld = true
    this.#share?.hold(this.#server?.child.pid as number)
    return this.#share !== undefined
  }

  async kill() {
    if (!this.#server) return
    this.#cpuBefore += (await ownCpu(this.#server.child.pid as number)) - this.#cpuAtStart
    await ended(this.#server.child, 'SIGKILL')
    this.#server = undefined
  }

  async end() {
    await this.kill()
    this.#share?.end()
    await rm(this.#dataDir, { recursive: true, force: true })
  }

  /** Microseconds of CPU since the first start, without what the starts took. */
  async cpu(): Promise<number> {
    const present = await ownCpu(this.#server?.child.pid as number)
    return this.#cpuBefore + present - this.#cpuAtStart
  }

  /** Waits until its own scans and those of its killed processes are in the numbers. */
  async caughtUp() {
    const origin = `http://127.0.0.1:${this.port}`
    while ((await metricOf({ origin }, 'scans_waiting')) > 0 || this.#journals() > 1) {
      await sleep(LOOK_EVERY_MS)
    }
  }

  #journals(): number {
    const names = readdirSync(join(this.#dataDir, 'journal'))
    return names.filter((name) => !name.endsWith('.lock')).length
  }

  /** The User-Agents of scans that were answered before they were on disk, as they came. */
  answeredEarly(): string[] {
    try {
      return readFileSync(this.#earlyAnswers, 'utf8').split('\n').slice(0, -1)
    } catch {
      return []
    }
  }
}

async function ownCpu(pid: number): Promise<number> {
  return [...(await threadCpu(pid)).values()].reduce((sum, each) => sum + each, 0)
}
