import { execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import type { QrCode } from '../src/contract/codes.ts'
import { ended, type ServerProcess, startProcess } from '../tests/support/process.ts'

const ROUNDS = 5
const SECONDS = 5
/** A busy day's redirects, evenly spread: what is measured is how long one waits, not how many there can be. */
const PER_SECOND = 500

const run = promisify(execFile)

const median = (values: number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0

/** The slowest percent of redirects, in turns without and with pictures being drawn all the time. */
export async function redirectsWhileDrawing(): Promise<void> {
  const tessera = await startProcess()
  try {
    const owner = await newOwner(tessera)
    await p99(tessera, owner.code)
    const seen = { rest: [] as number[], drawing: [] as number[], busy: [] as number[] }
    for (let round = 0; round < ROUNDS; round++) {
      seen.rest.push(await p99(tessera, owner.code))
      seen.drawing.push(await beside(pictures(tessera, owner), () => p99(tessera, owner.code)))
      seen.busy.push(await beside(IDLE_LOOP, () => p99(tessera, owner.code)))
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

type Owner = { cookie: string; code: QrCode }

async function newOwner({ origin }: ServerProcess): Promise<Owner> {
  const post = (path: string, body: unknown, headers = {}, method = 'POST') =>
    fetch(origin + path, {
      method,
      headers: { origin, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const email = `${randomUUID()}@example.com`
  const account = { email, password: 'correct horse battery', name: 'Ada Lovelace' }
  const signedUp = await post('/api/auth/sign-up/email', account)
  const cookie = signedUp.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  const draft = await fetch(`${origin}/api/qr-codes/draft`, {
    method: 'POST',
    headers: { origin, cookie },
  })
  const { id } = (await draft.json()) as QrCode
  const values = { name: 'Menu', url: 'https://example.com/menu' }
  const saved = await post(`/api/qr-codes/${id}`, values, { cookie }, 'PATCH')
  return { cookie, code: (await saved.json()) as QrCode }
}

/** In milliseconds. */
async function p99({ origin }: ServerProcess, { shortCode }: QrCode): Promise<number> {
  const args = ['bench/even-load.ts', `${origin}/qr/${shortCode}`, `${PER_SECOND}`, `${SECONDS}`]
  const { stdout } = await run('node', args)
  return Number(stdout)
}

/** What the machine itself adds as soon as a core has something else to do. */
const IDLE_LOOP = ['-e', 'require("node:os").setPriority(0, 19); for (;;) {}']

const pictures = ({ origin }: ServerProcess, { code, cookie }: Owner) => {
  return ['bench/image-load.ts', origin, code.id, cookie]
}

async function beside<T>(program: string[], measure: () => Promise<T>): Promise<T> {
  const load = spawn('node', program, { stdio: ['ignore', 'inherit', 'inherit'] })
  try {
    return await measure()
  } finally {
    await ended(load, 'SIGKILL')
  }
}
