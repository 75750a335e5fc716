/**
 * The cost of a stranger for the others: `npm run bench -- neighbours [ROUNDS] [ATTACK,ATTACK…]` asks a
 * real process for a redirect, another account's thumbnail, a static file and a sign-in, some times a
 * second each, at rest, beside busy loops of another program at the lowest priority, and beside each
 * attack of attack.ts. Attacks come from another address and another account, out of one process at
 * the lowest priority. An attack keeps that process busy and the server with it, so its measure are two
 * busy loops; the figures beside a single one stand by them. Linux only.
 *
 * The conditions take turns in each round, and the figures are medians of the rounds. A request that
 * is not answered counts with the time that was waited for it.
 *
 * The CPU of a redirect is what its handler and the writing of its answer take of the server's main
 * thread, which is the one that all visitors share (redirect-cpu.ts counts it in the server). Reading
 * and parsing the request, and the redirect's share of the journal thread's messages, are not in
 * it: beside an attack they cannot be told apart. A collection of garbage is in it if it falls
 * into a redirect. The CPU of the others is all that the main thread did, for each of their answers;
 * beside an attack that would be the attack's, so it stands only where there is none.
 */
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { QrCode } from '#contract/codes.ts'
import { PASSWORD } from '../tests/support/enrolment.ts'
import { startProcess } from '../tests/support/process.ts'
import { type AttackName, attack, attackNames, type Beside, busyLoops, nothing } from './attacks.ts'
import { type Answers, type EvenVisits, evenLoad, type Visit } from './even-visits.ts'
import { median, quantile, spread } from './figures.ts'
import { ownerOf } from './owner.ts'

const [roundsAsked = '3', attacksAsked = attackNames.join()] = process.argv.slice(3)
const ROUNDS = Number(roundsAsked)
const attacks = attackNames.filter((name) => attacksAsked.split(',').includes(name))

const MANY_CODES = 1_000
const THUMBNAILS = 50
/** An attack or loop runs this time before anything is measured. */
const SETTLE_MS = 700
/** The server has this time to finish what an attack left behind. */
const CALM_LIMIT_MS = 60_000
const CALM_MS = 50
const CALM_ANSWER_MS = 150
const CALM_TIMES = 4

const REDIRECT_P99_MAX = 3
const REDIRECT_CPU_MAX = 1.2
const OTHERS_P99_MAX = 5

const victimNames = ['redirect', 'thumbnail', 'static file', 'sign-in'] as const
type VictimName = (typeof victimNames)[number]
type Condition = 'at rest' | 'one busy loop' | 'two busy loops' | AttackName

/** Times are milliseconds. `refused` counts 429 and 503, `failed` all else that was not expected. */
type Figures = { p50: number; p99: number; cpu: number; refused: number; failed: number }
type Round = { victims: Record<VictimName, Figures>; attacker: Record<string, number> }

const counter = new URL('redirect-cpu.ts', import.meta.url)
const tessera = await startProcess({ environment: { NODE_OPTIONS: `--import ${counter}` } })
const origin = tessera.origin.replace('localhost', '127.0.0.1')
const load = evenLoad()

async function victims(): Promise<Record<VictimName, EvenVisits>> {
  const { cookie, codes } = await ownerOf(tessera, THUMBNAILS)
  // An account ends its oldest sessions when it has too many, and the thumbnails need theirs.
  const { email } = await ownerOf(tessera, 1)
  const list = await fetch(`${origin}/api/qr-codes`, { headers: { cookie } })
  const drawn = (await list.json()) as QrCode[]
  // As the dashboard's rows ask for them; the server keeps no picture.
  const look = 'format=png&style=classic&fg=%23000000&bg=%23FFFFFF&ecc=M&compact=false&size=96'
  const thumbnails: Visit[] = drawn.map(({ id, pictureVersion }) => ({
    url: `${origin}/api/qr-codes/${id}/generate?${look}&v=${pictureVersion}`,
    headers: { cookie },
  }))
  // Each from another address: people are, and thirty a minute may come from one.
  const signIns: Visit[] = Array.from({ length: 200 }, (_, index) => ({
    url: `${origin}/api/auth/sign-in/email`,
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: tessera.origin },
    body: JSON.stringify({ email, password: PASSWORD }),
    from: `127.0.1.${index + 1}`,
  }))
  const redirects = [{ url: `${origin}/qr/${codes[0]?.shortCode}` }]
  return {
    redirect: { visits: redirects, perSecond: 200, seconds: 4, expected: 302 },
    thumbnail: { visits: thumbnails, perSecond: 50, seconds: 3, expected: 200 },
    'static file': {
      visits: [{ url: `${origin}/favicon.ico` }],
      expected: 200,
      perSecond: 100,
      seconds: 3,
    },
    'sign-in': { visits: signIns, perSecond: 2, seconds: 3, expected: 200 },
  }
}

/** Milliseconds of CPU that the server's main thread has had since its start. */
async function mainThreadMs(): Promise<number> {
  const { pid } = tessera.child
  const [nanoseconds] = (await readFile(`/proc/${pid}/task/${pid}/schedstat`, 'utf8')).split(' ')
  return Number(nanoseconds) / 1e6
}

async function redirectsSoFar(): Promise<{ redirects: number; micros: number }> {
  return (await fetch(`${origin}/redirect-cpu`)).json()
}

async function measureRedirect(job: EvenVisits): Promise<Figures> {
  const before = await redirectsSoFar()
  const answers = await load.send(job)
  const after = await redirectsSoFar()
  const cpu = (after.micros - before.micros) / 1_000 / (after.redirects - before.redirects)
  return { ...figuresOf(answers), cpu }
}

async function measureOther(job: EvenVisits): Promise<Figures> {
  const before = await mainThreadMs()
  const answers = await load.send(job)
  const cpu = ((await mainThreadMs()) - before) / answers.times.length
  return { ...figuresOf(answers), cpu }
}

async function measure(beside: Beside, jobs: Record<VictimName, EvenVisits>): Promise<Round> {
  await sleep(SETTLE_MS)
  const victims = {
    redirect: await measureRedirect(jobs.redirect),
    thumbnail: await measureOther(jobs.thumbnail),
    'static file': await measureOther(jobs['static file']),
    'sign-in': await measureOther(jobs['sign-in']),
  }
  return { victims, attacker: await beside.statuses() }
}

function figuresOf({ times, others, unanswered }: Answers): Omit<Figures, 'cpu'> {
  const refused = (others[429] ?? 0) + (others[503] ?? 0)
  const failed = Object.values(others).reduce((sum, count) => sum + count, 0) - refused + unanswered
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99), refused, failed }
}

/** Waits until the server has nothing left to do for an attack that is over. */
async function calm({ thumbnail }: Record<VictimName, EvenVisits>): Promise<void> {
  const limit = performance.now() + CALM_LIMIT_MS
  let inARow = 0
  while (inARow < CALM_TIMES && performance.now() < limit) {
    const before = await mainThreadMs()
    await sleep(CALM_MS)
    const isIdle = (await mainThreadMs()) - before < CALM_MS / 2
    // It needs the database and a drawing thread.
    const { url, headers } = thumbnail.visits[0] as Visit
    const since = performance.now()
    await (await fetch(url, { headers: headers ?? {} })).arrayBuffer()
    inARow = isIdle && performance.now() - since < CALM_ANSWER_MS ? inARow + 1 : 0
  }
}

async function allRounds(): Promise<Map<Condition, Round[]>> {
  const jobs = await victims()
  const [rich, drawer] = [await ownerOf(tessera, MANY_CODES), await ownerOf(tessera, 1)]
  const free = await ownerOf(tessera, 1, 'free')
  const targets = {
    origin: tessera.origin,
    manyCodes: rich.cookie,
    free: free.cookie,
    drawer: drawer.cookie,
    codeId: drawer.codes[0]?.id ?? '',
  }
  const beside: [Condition, () => Beside][] = [
    ['at rest', nothing],
    ['one busy loop', () => busyLoops(1)],
    ['two busy loops', () => busyLoops(2)],
    ...attacks.map(
      (name) => [name, () => attack(name, tessera, targets)] as [Condition, () => Beside],
    ),
  ]
  for (const name of victimNames) await load.send(jobs[name])
  const rounds = new Map<Condition, Round[]>(beside.map(([condition]) => [condition, []]))
  for (let round = 0; round < ROUNDS; round++) {
    for (const [condition, start] of beside) {
      await calm(jobs)
      const other = start()
      rounds.get(condition)?.push(await measure(other, jobs).finally(other.end))
    }
  }
  return rounds
}

/** NaN fails as well. */
function mustHold(what: string, holds: boolean): void {
  console.log(`${holds ? 'holds' : 'MISSED'}: ${what}`)
  if (!holds) process.exitCode = 1
}

type Field = keyof Figures
const valuesOf = (rounds: Round[], name: VictimName, field: Field) =>
  rounds.map(({ victims }) => victims[name][field])
const totalOf = (rounds: Round[], name: VictimName, field: Field) =>
  valuesOf(rounds, name, field).reduce((sum, value) => sum + value, 0)

function print(condition: Condition, rounds: Round[]): void {
  console.log(`${condition}:`)
  for (const name of victimNames) {
    const [p50, p99, cpu] = (['p50', 'p99', 'cpu'] as const).map((field) => {
      return spread(valuesOf(rounds, name, field), field === 'cpu' ? 3 : 1)
    })
    const hasCpu = name === 'redirect' || !attackNames.some((attack) => attack === condition)
    const [refused, failed] = [totalOf(rounds, name, 'refused'), totalOf(rounds, name, 'failed')]
    const faults = `${refused ? `, ${refused} refused` : ''}${failed ? `, ${failed} FAILED` : ''}`
    console.log(
      `  ${name}: p50 ${p50} ms, p99 ${p99} ms${hasCpu ? `, CPU ${cpu} ms` : ''}${faults}`,
    )
  }
  const answers: Record<string, number> = {}
  for (const { attacker } of rounds) {
    for (const [status, count] of Object.entries(attacker)) {
      answers[status] = (answers[status] ?? 0) + count
    }
  }
  const texts = Object.entries(answers).map(([status, count]) => `${count} x ${status}`)
  if (texts.length > 0) console.log(`  the attacker was answered ${texts.join(', ')}`)
}

const refusalsTo = (rounds: Round[]) =>
  rounds.reduce((sum, { attacker }) => sum + (attacker[429] ?? 0) + (attacker[503] ?? 0), 0)

function judge(condition: AttackName, rounds: Round[], busy: Round[]): void {
  const ratioOf = (name: VictimName, field: Field) =>
    median(valuesOf(rounds, name, field)) / median(valuesOf(busy, name, field))
  const ofRedirect = { p99: ratioOf('redirect', 'p99'), cpu: ratioOf('redirect', 'cpu') }
  const isUnhurt = (name: VictimName) =>
    totalOf(rounds, name, 'refused') + totalOf(rounds, name, 'failed') === 0
  const beside = `beside ${condition}`
  mustHold(
    `${beside}, a redirect's p99 ${ofRedirect.p99.toFixed(2)} x (at most ${REDIRECT_P99_MAX}), all answered`,
    ofRedirect.p99 <= REDIRECT_P99_MAX && isUnhurt('redirect'),
  )
  mustHold(
    `${beside}, a redirect's CPU ${ofRedirect.cpu.toFixed(2)} x (at most ${REDIRECT_CPU_MAX})`,
    ofRedirect.cpu <= REDIRECT_CPU_MAX,
  )
  for (const name of victimNames.slice(1)) {
    const p99 = ratioOf(name, 'p99')
    const refusals = refusalsTo(rounds)
    mustHold(
      `${beside}, a ${name}'s p99 ${p99.toFixed(2)} x (at most ${OTHERS_P99_MAX}), ` +
        `or refusals to the attacker only (${refusals} to it, ${totalOf(rounds, name, 'refused')} to the other)`,
      isUnhurt(name) && (p99 <= OTHERS_P99_MAX || refusals > 0),
    )
  }
}

try {
  const rounds = await allRounds()
  console.log(`median [least to most] of ${ROUNDS} rounds; ratios are against two busy loops`)
  for (const [condition, seen] of rounds) print(condition, seen)
  const busy = rounds.get('two busy loops') ?? []
  for (const name of attacks) judge(name, rounds.get(name) ?? [], busy)
} finally {
  await load.end()
  await tessera.stop()
  await tessera.remove()
}
