/**
 * The redirect against a bare node:http server that answers the same 302, in turns in one run: on
 * one hot code, and on 10,000 codes drawn by Zipf's law. Our server has each scan on disk before it
 * answers.
 */
import { spawn } from 'node:child_process'
import { connect, locationOf } from '../src/server/database/connect.ts'
import { freePort } from '../tests/support/free-port.ts'
import { ended, startProcess } from '../tests/support/process.ts'
import { DESTINATION, insertCodes, zipf } from './codes.ts'
import { median } from './figures.ts'
import { generator, type Load, load } from './load.ts'

const CODES = 10_000
const PATHS = 200_000
const CONNECTIONS = 128
const ROUNDS = 3
const SECONDS = 5
const WARM_SECONDS = 2

const barePort = await freePort()
const bare = spawn('node', ['bench/bare-server.ts', String(barePort), DESTINATION])
const tessera = await startProcess()
const { db, close } = connect(locationOf(tessera), () => {})
const paths = (await insertCodes(db, CODES)).map(({ shortCode }) => `/qr/${shortCode}`)
await close()
const origins = { bare: `http://127.0.0.1:${barePort}`, tessera: tessera.origin }

async function counters(): Promise<Record<string, number>> {
  const text = await (await fetch(`${tessera.origin}/metrics`)).text()
  return Object.fromEntries(
    [...text.matchAll(/^(tessera_\w+) (\d+)$/gm)].map(([, name, value]) => [name, Number(value)]),
  )
}

async function compare(title: string, paths: string[]): Promise<void> {
  const seen: Record<keyof typeof origins, Load[]> = { bare: [], tessera: [] }
  await load({ origin: origins.tessera, paths, seconds: WARM_SECONDS, connections: CONNECTIONS })
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of ['bare', 'tessera'] as const) {
      const origin = origins[name]
      seen[name].push(await load({ origin, paths, seconds: SECONDS, connections: CONNECTIONS }))
    }
  }
  const rate = (name: keyof typeof seen) => median(seen[name].map((each) => each.perSecond))
  const p99 = (name: keyof typeof seen) => median(seen[name].map((each) => each.p99Ms))
  const ratio = rate('tessera') / rate('bare')
  console.log(
    `${title}: ratio ${ratio.toFixed(2)} (tessera ${rate('tessera').toFixed(0)}/s, p99 ${p99('tessera').toFixed(1)} ms; ` +
      `bare node:http ${rate('bare').toFixed(0)}/s, p99 ${p99('bare').toFixed(1)} ms)`,
  )
}

try {
  console.log(
    `${generator}, ${CONNECTIONS} connections, median of ${ROUNDS} rounds of ${SECONDS} s, in turns`,
  )
  await compare('one hot code', paths.slice(0, 1))
  await compare(`${CODES} codes, Zipf`, zipf(paths, PATHS))
  const counted = await counters()
  console.log(
    `${counted.tessera_scans_recorded_total} scans in ${counted.tessera_scan_commits_total} commits, ` +
      `${counted.tessera_answered_before_commit} answered before their commit`,
  )
} finally {
  await ended(bare, 'SIGKILL')
  await tessera.stop()
  await tessera.remove()
}
