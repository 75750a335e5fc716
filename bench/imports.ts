/**
 * A file of ten thousand codes: `npm run bench -- imports [ROUNDS]` sends it to a real process and has it
 * published, again and again, while visitors ask for redirects. Redirects at rest and
 * beside a busy loop of another program at the lowest priority take turns with it: on a machine with few
 * cores anything that is busy costs them something.
 */
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { IMPORT_ROWS_MAX } from '#contract/imports.ts'
import { manyRows } from '../tests/support/code-file.ts'
import { ended, startProcess } from '../tests/support/process.ts'
import { evenLoad } from './even-visits.ts'
import { median, quantile, spread } from './figures.ts'
import { type Owner, ownerOf } from './owner.ts'

const ROUNDS = Number(process.argv[3] ?? 3)
const PER_SECOND = 200
const SECONDS = 8
/** Imports in one round, each by another account. */
const IMPORTS = 3
const ROWS = IMPORT_ROWS_MAX - 1
const P99_MAX = 3
const MEMORY_MAX_MB = 150
const MEGABYTE = 1024

const tessera = await startProcess()
const { origin } = tessera
const load = evenLoad()
const file = manyRows(ROWS, 1_000)

async function call(owner: Owner, path: string, init: RequestInit = {}) {
  const headers = { cookie: owner.cookie, origin, ...(init.headers as Record<string, string>) }
  const answer = await fetch(origin + path, { ...init, headers })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return answer
}

type Took = { read: number; published: number }

/** Milliseconds until the file was read, and from then until its codes were there. */
async function importOnce(owner: Owner, round: number): Promise<Took> {
  const began = performance.now()
  const sent = await call(owner, '/api/imports?name=codes.csv', {
    method: 'POST',
    headers: { 'content-type': 'text/csv' },
    body: file.replaceAll('place-', `place-${round}-`),
  })
  const { id, problems } = (await sent.json()) as { id: string; problems: number }
  if (problems > 0) throw new Error('the file of the bench has problems')
  const read = performance.now() - began
  await call(owner, `/api/imports/${id}/publish`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ tags: ['Tables'] }),
  })
  for (;;) {
    const { state } = (await (await call(owner, `/api/imports/${id}`)).json()) as { state: string }
    if (state === 'published') break
    await sleep(20)
  }
  return { read, published: performance.now() - began - read }
}

async function residentMb(): Promise<number> {
  const status = await readFile(`/proc/${tessera.child.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / MEGABYTE
}

async function redirects(code: string, seconds = SECONDS) {
  const { times, others, unanswered } = await load.send({
    url: `${origin}/qr/${code}`,
    perSecond: PER_SECOND,
    seconds,
    expected: 302,
  })
  if (unanswered > 0 || Object.keys(others).length > 0) {
    throw new Error('a redirect was not answered')
  }
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99), worst: Math.max(...times) }
}

const IDLE_LOOP = ['-e', 'require("node:os").setPriority(0, 19); for (;;) {}']
type Times = Awaited<ReturnType<typeof redirects>>

let places = 0
try {
  const { codes } = await ownerOf(tessera, 1)
  const code = codes[0]?.shortCode ?? ''
  await redirects(code, 2)
  const seen: Record<'rest' | 'importing' | 'loop', Times[]> = { rest: [], importing: [], loop: [] }
  const took: Took[] = []
  const [restMb, peakMb]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    const owners: Owner[] = []
    while (owners.length < IMPORTS) owners.push(await ownerOf(tessera, 1))
    seen.rest.push(await redirects(code))
    restMb.push(await residentMb())
    let [isOver, peak] = [false, 0]
    const watching = (async () => {
      while (!isOver) {
        peak = Math.max(peak, await residentMb())
        await sleep(20)
      }
    })()
    const importing = (async () => {
      for (const owner of owners) took.push(await importOnce(owner, places++))
    })()
    seen.importing.push(await redirects(code))
    await importing
    isOver = true
    await watching
    peakMb.push(peak)
    await sleep(3_000)
    const loop = spawn('node', IDLE_LOOP, { stdio: 'ignore' })
    seen.loop.push(await redirects(code).finally(() => ended(loop, 'SIGKILL')))
  }
  const of = (name: keyof typeof seen, field: keyof Times) => seen[name].map((each) => each[field])
  console.log(
    `${ROWS} rows, median [least to most] of ${ROUNDS} rounds with ${IMPORTS} imports each`,
  )
  console.log(`read and checked in ${spread(took.map(({ read }) => read))} ms`)
  console.log(`published in ${spread(took.map(({ published }) => published))} ms`)
  for (const [name, what] of [
    ['rest', 'at rest'],
    ['importing', 'while importing'],
    ['loop', 'beside a busy loop'],
  ] as const) {
    const [p50, p99, worst] = (['p50', 'p99', 'worst'] as const).map((field) =>
      spread(of(name, field), 1),
    )
    console.log(`redirects ${what}: p50 ${p50} ms, p99 ${p99} ms, the slowest ${worst} ms`)
  }
  const [rest, peak] = [restMb[0] ?? Number.NaN, Math.max(...peakMb)]
  console.log(
    `resident: ${rest.toFixed(0)} MB before the first, at most ${peak.toFixed(0)} MB while importing`,
  )
  const ratio = median(of('importing', 'p99')) / median(of('loop', 'p99'))
  mustHold(
    `a redirect's p99 while importing is ${ratio.toFixed(2)} x that beside a busy loop (at most ${P99_MAX})`,
    ratio <= P99_MAX,
  )
  mustHold(
    `an import takes ${(peak - rest).toFixed(0)} MB (at most ${MEMORY_MAX_MB})`,
    peak - rest <= MEMORY_MAX_MB,
  )
} finally {
  await load.end()
  await tessera.stop()
  await tessera.remove()
}

function mustHold(what: string, holds: boolean): void {
  console.log(`${holds ? 'holds' : 'MISSED'}: ${what}`)
  if (!holds) process.exitCode = 1
}
