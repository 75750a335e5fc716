/**
 * How soon a fresh server answers after its start, and how much memory it keeps at rest, beside a
 * Node process that only answers.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../tests/support/free-port.ts'
import { ended, SERVER } from '../tests/support/process.ts'
import { median } from './figures.ts'

const ROUNDS = 3
const REST_MS = 35_000
const LIMIT_MS = 30_000
const MEGABYTE = 1024

type Start = { answerMs: number; residentMb: number }

async function firstAnswer(url: string, since: number): Promise<number> {
  while (performance.now() - since < LIMIT_MS) {
    const answer = await fetch(url, { redirect: 'manual' }).catch(() => undefined)
    if (answer && answer.status !== 503) return performance.now() - since
    await sleep(5)
  }
  throw new Error(`${url} did not answer`)
}

async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / MEGABYTE
}

async function measure(start: (port: number, dataDir: string) => ChildProcess): Promise<Start> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tessera-bench-'))
  const port = await freePort()
  const since = performance.now()
  const child = start(port, dataDir)
  const answerMs = await firstAnswer(`http://127.0.0.1:${port}/`, since)
  await sleep(REST_MS)
  const resident = await residentMb(child.pid as number)
  await ended(child, 'SIGTERM')
  await rm(dataDir, { recursive: true, force: true })
  return { answerMs, residentMb: resident }
}

/** The command of `npm start` after the build, so that the measured process is the server itself. */
function tessera(port: number, dataDir: string): ChildProcess {
  const env = {
    ...process.env,
    NODE_COMPILE_CACHE: 'dist/compile-cache',
    PORT: String(port),
    DATA_DIR: dataDir,
  }
  return spawn('node', SERVER, { env, stdio: 'ignore' })
}

const bare = (port: number) =>
  spawn('node', ['bench/bare-server.ts', String(port), 'https://example.com/'], { stdio: 'ignore' })

async function rounds(start: (port: number, dataDir: string) => ChildProcess): Promise<Start> {
  const seen: Start[] = []
  for (let round = 0; round < ROUNDS; round++) seen.push(await measure(start))
  return {
    answerMs: median(seen.map((each) => each.answerMs)),
    residentMb: median(seen.map((each) => each.residentMb)),
  }
}

const [ours, reference] = [await rounds(tessera), await rounds(bare)]
const line = (name: string, unit: string, a: number, b: number) =>
  console.log(
    `${name}: ratio ${(a / b).toFixed(1)} (tessera ${a.toFixed(0)} ${unit}, bare node ${b.toFixed(0)} ${unit})`,
  )
line('start to first answer, empty DATA_DIR', 'ms', ours.answerMs, reference.answerMs)
line('resident after 35 s of rest', 'MB', ours.residentMb, reference.residentMb)
