/**
 * 200 browsers that hear of scans as they come: the memory that their streams take and the CPU at
 * rest, and how soon after its redirect they hear of a scan. Fails when a figure misses its limit.
 */

import { readFile } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { startProcess } from '../tests/support/process.ts'
import { IPHONE } from '../tests/support/visitors.ts'
import { quantile, spread } from './figures.ts'
import { type Owner, ownerOf } from './owner.ts'
import { threadCpu } from './thread-cpu.ts'

const BROWSERS = 200
const SCANS = 50
/** Heartbeats come every 15 seconds, and sessions are looked at every 4. */
const REST_S = 30
const SETTLE_MS = 10_000
const MEMORY_MAX_MB = 100
const CPU_MAX_PERCENT = 5
const TOLD_MAX_MS = 2_000

const tessera = await startProcess()
const pid = tessera.child.pid as number

async function residentMb(): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
}

/** Percent of a core that the server takes at rest. */
async function cpuAtRest(): Promise<number> {
  const sum = async () => [...(await threadCpu(pid)).values()].reduce((all, each) => all + each, 0)
  const before = await sum()
  await sleep(REST_S * 1000)
  return (((await sum()) - before) / 1e6 / REST_S) * 100
}

type Stream = { owner: Owner; answer: IncomingMessage; text: string; onText: () => void }

function open(owner: Owner): Promise<Stream> {
  const url = `${tessera.origin}/api/analytics/stream`
  return new Promise((resolve, reject) => {
    const call = get(url, { agent: false, headers: { cookie: owner.cookie } }, (answer) => {
      if (answer.statusCode !== 200) return reject(new Error(`status ${answer.statusCode}`))
      const stream: Stream = { owner, answer, text: '', onText: () => {} }
      answer.setEncoding('utf8').on('data', (part: string) => {
        stream.text += part
        stream.onText()
      })
      answer.on('error', () => {})
      resolve(stream)
    })
    call.once('error', reject)
  })
}

/** Milliseconds from a scan's redirect to its event. */
async function toldAfter(stream: Stream): Promise<number> {
  const [code] = stream.owner.codes
  stream.text = ''
  const told = new Promise<number>((resolve) => {
    stream.onText = () => {
      if (stream.text.includes(code?.id ?? '')) resolve(performance.now())
    }
  })
  const headers = { 'user-agent': IPHONE }
  await fetch(`${tessera.origin}/qr/${code?.shortCode}`, { redirect: 'manual', headers })
  const since = performance.now()
  return Math.max(0, (await told) - since)
}

function mustHold(what: string, holds: boolean): void {
  console.log(`${holds ? 'holds' : 'MISSED'}: ${what}`)
  if (!holds) process.exitCode = 1
}

const streams: Stream[] = []
try {
  const owners: Owner[] = []
  while (owners.length < BROWSERS) owners.push(await ownerOf(tessera, 1))
  // The first stream loads what all share.
  streams.push(await open(owners[0] as Owner))
  await sleep(SETTLE_MS)
  const [before, alone] = [await residentMb(), await cpuAtRest()]
  for (const owner of owners.slice(1)) streams.push(await open(owner))
  await sleep(SETTLE_MS)
  const more = (await residentMb()) - before
  const atRest = await cpuAtRest()
  const times: number[] = []
  for (const stream of streams.slice(0, SCANS)) times.push(await toldAfter(stream))
  console.log(`${BROWSERS} open streams:`)
  console.log(`  memory: ${more.toFixed(1)} MB more than ${before.toFixed(0)} MB with one`)
  console.log(`  CPU at rest: ${atRest.toFixed(2)} % of a core (${alone.toFixed(2)} % with one)`)
  console.log(`  from a redirect to its event: ${spread(times)} ms`)
  mustHold(`${BROWSERS} streams take at most ${MEMORY_MAX_MB} MB`, more <= MEMORY_MAX_MB)
  mustHold(`at rest they take at most ${CPU_MAX_PERCENT} % of a core`, atRest <= CPU_MAX_PERCENT)
  mustHold(`a scan is told of within ${TOLD_MAX_MS} ms`, quantile(times, 0.99) <= TOLD_MAX_MS)
} finally {
  for (const { answer } of streams) answer.destroy()
  await tessera.stop()
  await tessera.remove()
}
