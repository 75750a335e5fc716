import { spawn } from 'node:child_process'
import { ended, type ServerProcess, startProcess } from '../tests/support/process.ts'
import type { BenchCode } from './codes.ts'
import { evenLoad } from './even-visits.ts'
import { median, quantile } from './figures.ts'
import { type Owner, ownerOf } from './owner.ts'

const ROUNDS = 5
const SECONDS = 5
/** A busy day's redirects, evenly spread: what is measured is how long one waits, not how many there can be. */
const PER_SECOND = 500

/** The slowest percent of redirects, in turns without and with pictures being drawn all the time. */
export async function redirectsWhileDrawing(): Promise<void> {
  const tessera = await startProcess()
  try {
    const owner = await ownerOf(tessera, 1)
    const [code] = owner.codes as [BenchCode]
    await p99(tessera, code)
    const seen = { rest: [] as number[], drawing: [] as number[], busy: [] as number[] }
    for (let round = 0; round < ROUNDS; round++) {
      seen.rest.push(await p99(tessera, code))
      seen.drawing.push(await beside(pictures(tessera, owner, code), () => p99(tessera, code)))
      seen.busy.push(await beside(IDLE_LOOP, () => p99(tessera, code)))
    }
    const [rest, drawing, busy] = [median(seen.rest), median(seen.drawing), median(seen.busy)]
    console.log(
      `redirects, p99 while pictures are drawn: ${(drawing / rest).toFixed(1)} x that at rest, ` +
        `${(busy / rest).toFixed(1)} x beside a loop of another program that takes only what is left over ` +
        `(${drawing.toFixed(1)}, ${rest.toFixed(1)} and ${busy.toFixed(1)} ms at ${PER_SECOND} a second)`,
    )
  } finally {
    await tessera.stop()
    await tessera.remove()
  }
}

/** In milliseconds. */
async function p99({ origin }: ServerProcess, { shortCode }: BenchCode): Promise<number> {
  const load = evenLoad()
  const visits = [{ url: `${origin}/qr/${shortCode}` }]
  const job = { visits, perSecond: PER_SECOND, seconds: SECONDS, expected: 302 }
  const { times, others, unanswered } = await load.send(job)
  await load.end()
  if (unanswered > 0 || Object.keys(others).length > 0)
    throw new Error('a redirect was not answered')
  return quantile(times, 0.99)
}

/** Shows the delay that the machine itself adds as soon as a core has something else to do. */
const IDLE_LOOP = ['-e', 'require("node:os").setPriority(0, 19); for (;;) {}']

const pictures = ({ origin }: ServerProcess, { cookie }: Owner, { id }: BenchCode) => {
  return ['bench/image-load.ts', origin, id, cookie]
}

async function beside<T>(program: string[], measure: () => Promise<T>): Promise<T> {
  const load = spawn('node', program, { stdio: ['ignore', 'inherit', 'inherit'] })
  try {
    return await measure()
  } finally {
    await ended(load, 'SIGKILL')
  }
}
