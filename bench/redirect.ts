/**
 * The redirect against a bare node:http server that answers the same 302, in turns in one run: on
 * one hot code, and on many codes drawn by Zipf's law, at 64 and at 128 connections:
 * `npm run bench -- redirect --codes 10000 --rounds 3 --streams 200`. The streams are of as many accounts,
 * which share the codes, and tell each of its scans. Our server has each scan on disk before it answers,
 * and brings it into the numbers during the bench.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { parseArgs } from 'node:util'
import { DESTINATION, type SeedCode } from '../scripts/seed/seed-codes.ts'
import type { Rule } from '../src/contract/codes/code-rules.ts'
import { connect, locationOf } from '../src/server/database/connect.ts'
import { freePort } from '../tests/support/free-port.ts'
import { ended, startProcess } from '../tests/support/process.ts'
import { type Burst, burst, caughtUp, counters, cpuOf } from './bursts.ts'
import { insertCodes, zipf } from './codes.ts'
import { median } from './figures.ts'
import { generator, type Load, load } from './load.ts'
import { ownerOf } from './owner.ts'

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    codes: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '3' },
    streams: { type: 'string', default: '0' },
  },
})
const CODES = Number(values.codes)
const ROUNDS = Number(values.rounds)
const STREAMS = Number(values.streams)
const { DATABASE_URL } = process.env
/** autocannon makes each request once for each connection, which takes minutes where they are many. */
const PATHS = generator === 'wrk' ? 200_000 : 2_000
const CONNECTIONS = [64, 128]
const SECONDS = 4
const WARM_SECONDS = 2

/** The second code has five rules, of which none fits: all of them are asked. */
const variants = [{ id: 'variant0', url: DESTINATION, share: 100 }]
const RULES: Rule[] = [
  { countries: ['PL', 'DE'], variants },
  { languages: ['pl', 'de'], variants },
  { devices: ['Tablet'], systems: ['iOS'], variants },
  {
    weekdays: [6, 7],
    hours: { from: '22:00', until: '06:00' },
    timeZone: 'Europe/Berlin',
    variants,
  },
  { parameter: { name: 'table', value: '5' }, variants },
]

const barePort = await freePort()
const bare = spawn('node', ['bench/bare-server.ts', String(barePort), DESTINATION])
const tessera = await startProcess()
const streams: IncomingMessage[] = []
const paths = (STREAMS > 0 ? await streamedCodes() : await printedCodes()).map(
  ({ shortCode }) => `/qr/${shortCode}`,
)
const origins = { bare: `http://127.0.0.1:${barePort}`, tessera: tessera.origin }

async function printedCodes(): Promise<SeedCode[]> {
  const { db, close } = connect(
    locationOf({ ...tessera, ...(DATABASE_URL && { databaseUrl: DATABASE_URL }) }),
    () => {},
  )
  const codes = await insertCodes(db, CODES)
  const [, ruled] = codes
  if (ruled) {
    const rules = JSON.stringify(RULES)
    await db.updateTable('codes').set({ rules }).where('short_code', '=', ruled.shortCode).execute()
  }
  await close()
  return codes
}

/** Codes of as many accounts as there are streams, each of which is open. */
async function streamedCodes(): Promise<SeedCode[]> {
  const owners = []
  while (owners.length < STREAMS) owners.push(await ownerOf(tessera, Math.ceil(CODES / STREAMS)))
  for (const { cookie } of owners) {
    const url = `${tessera.origin}/api/analytics/stream`
    const [stream] = (await once(get(url, { agent: false, headers: { cookie } }), 'response')) as [
      IncomingMessage,
    ]
    if (stream.statusCode !== 200) throw new Error(`a stream answered ${stream.statusCode}`)
    streams.push(stream.resume().on('error', () => {}))
  }
  return owners.flatMap(({ codes }) => codes)
}

async function compare(title: string, paths: string[], connections: number): Promise<void> {
  const seen: { bare: Load[]; tessera: Burst[] } = { bare: [], tessera: [] }
  await load({ origin: origins.tessera, paths, seconds: WARM_SECONDS, connections })
  await caughtUp(tessera)
  for (let round = 0; round < ROUNDS; round++) {
    seen.bare.push(await load({ origin: origins.bare, paths, seconds: SECONDS, connections }))
    seen.tessera.push(await burst(tessera, { paths, seconds: SECONDS, connections }))
  }
  const of = (name: keyof typeof seen, key: keyof Load) => median(seen[name].map((one) => one[key]))
  const ratio = (key: keyof Load) => (of('tessera', key) / of('bare', key)).toFixed(2)
  console.log(
    `${title}, ${connections} connections: ${ratio('perSecond')} of bare ` +
      `(${of('tessera', 'perSecond').toFixed(0)}/s, bare ${of('bare', 'perSecond').toFixed(0)}/s), ` +
      `p99 ${ratio('p99Ms')} x (${of('tessera', 'p99Ms').toFixed(1)} ms, bare ${of('bare', 'p99Ms').toFixed(1)} ms)`,
  )
  console.log(
    `  ${cpuOf(seen.tessera).text}; all counted ${median(seen.tessera.map((one) => one.caughtUpMs)).toFixed(0)} ms after the burst`,
  )
}

/** A code with rules beside one without, in turns. */
async function compareRules(connections: number): Promise<void> {
  const seen: { plain: Burst[]; ruled: Burst[] } = { plain: [], ruled: [] }
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, kind] of (['plain', 'ruled'] as const).entries()) {
      const asked = { paths: paths.slice(index, index + 1), seconds: SECONDS, connections }
      seen[kind].push(await burst(tessera, asked))
    }
  }
  const ratio = (key: 'perSecond' | 'p99Ms') => {
    const [ruled, plain] = [seen.ruled, seen.plain].map((all) => median(all.map((one) => one[key])))
    return (Number(ruled) / Number(plain)).toFixed(2)
  }
  console.log(
    `five rules, ${connections} connections: ${ratio('perSecond')} of a code without, p99 ${ratio('p99Ms')} x; ` +
      `with ${cpuOf(seen.ruled).text}, without ${cpuOf(seen.plain).text}`,
  )
}

try {
  console.log(`${generator}, median of ${ROUNDS} rounds of ${SECONDS} s, in turns`)
  const many = zipf(paths, PATHS)
  for (const connections of CONNECTIONS) {
    await compare('one hot code', paths.slice(0, 1), connections)
    await compare(`${CODES} codes, Zipf`, many, connections)
    if (STREAMS === 0) await compareRules(connections)
  }
  const counted = await counters(tessera)
  console.log(
    `${counted.tessera_scans_recorded_total} scans, ` +
      `${counted.tessera_answered_before_commit} answered before they were on disk`,
  )
} finally {
  for (const stream of streams) stream.destroy()
  await ended(bare, 'SIGKILL')
  await tessera.stop()
  await tessera.remove()
}
