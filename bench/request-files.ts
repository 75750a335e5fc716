/**
 * Names the files of src whose functions run in one request, by V8's precise coverage of the service
 * and its threads: `npm run bench -- request-files [CHECKOUT]`. A file counts if it ran in each of three
 * rounds, so that jobs in the background do not.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Caller } from '../scripts/caller.ts'
import { appCode } from '../tests/support/authenticator-app.ts'
import { freePort } from '../tests/support/free-port.ts'
import { IPHONE } from '../tests/support/visitors.ts'

const ROUNDS = 3
const PASSWORD = 'correct horse battery'
/** A fold begins within 100 ms of a scan. */
const FOLDED_MS = 1500

const checkout = resolve(process.argv[3] ?? '.')

type Message = { id?: number; method?: string; params?: never; result?: unknown; error?: unknown }
type Coverage = { result: { url: string; functions: Covered[] }[] }
type Covered = { functionName: string; ranges: { count: number }[] }

/** The inspector's protocol to the main thread, and through it to each worker thread. */
class Inspector {
  readonly #socket: WebSocket
  readonly #waiting = new Map<string, (message: Message) => void>()
  readonly #workers = new Set<string>()
  #last = 0

  static async open(url: string): Promise<Inspector> {
    const socket = new WebSocket(url)
    await once(socket, 'open')
    const inspector = new Inspector(socket)
    await inspector.#send('NodeWorker.enable', { waitForDebuggerOnStart: false })
    await inspector.#begin()
    return inspector
  }

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.addEventListener('message', ({ data }) => this.#take(JSON.parse(`${data}`)))
  }

  /** The files of src with a function that ran since the last call. */
  async filesThatRan(): Promise<Set<string>> {
    const threads = [undefined, ...this.#workers]
    const taken = await Promise.all(
      threads.map((worker) => this.#send('Profiler.takePreciseCoverage', {}, worker)),
    )
    const files = (taken as Coverage[])
      .flatMap(({ result }) => result)
      .filter(({ functions }) => functions.some(hasRun))
      .map(({ url }) => url)
    return new Set(files.filter((url) => url.includes(`${checkout}/src/`)))
  }

  close() {
    this.#socket.close()
  }

  async #begin(worker?: string) {
    await this.#send('Profiler.enable', {}, worker)
    const options = { callCount: true, detailed: false }
    await this.#send('Profiler.startPreciseCoverage', options, worker)
  }

  #send(method: string, params: object, worker?: string): Promise<unknown> {
    const id = ++this.#last
    const message = JSON.stringify({ id, method, params })
    return new Promise((resolve, reject) => {
      this.#waiting.set(`${worker ?? ''}/${id}`, ({ result, error }) =>
        error ? reject(new Error(JSON.stringify(error))) : resolve(result),
      )
      if (worker === undefined) this.#socket.send(message)
      else {
        const wrapped = { sessionId: worker, message }
        const envelope = { id: ++this.#last, method: 'NodeWorker.sendMessageToWorker' }
        this.#socket.send(JSON.stringify({ ...envelope, params: wrapped }))
      }
    })
  }

  #take(message: Message, worker = '') {
    const params = message.params as { sessionId: string; message: string } | undefined
    if (message.method === 'NodeWorker.attachedToWorker' && params) {
      this.#workers.add(params.sessionId)
      this.#begin(params.sessionId).catch(() => this.#workers.delete(params.sessionId))
    } else if (message.method === 'NodeWorker.receivedMessageFromWorker' && params) {
      this.#take(JSON.parse(params.message), params.sessionId)
    } else if (message.method === 'NodeWorker.detachedFromWorker' && params) {
      this.#workers.delete(params.sessionId)
    } else if (message.id !== undefined) this.#waiting.get(`${worker}/${message.id}`)?.(message)
  }
}

/** The function around a module has no name and runs when it is loaded. */
const hasRun = ({ functionName, ranges }: Covered) =>
  functionName !== '' && (ranges[0]?.count ?? 0) > 0

const signUp = (origin: string, name: string) =>
  Caller.signUp(origin, `${name}@example.com`, PASSWORD)

const pause = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds))

/** The requests by name; each round of one is a function. */
async function requests(origin: string): Promise<Record<string, (round: number) => Promise<void>>> {
  const owner = await signUp(origin, 'owner')
  const code = await owner.code({ name: 'Menu', url: 'https://example.com/menu' })
  const careful = await Promise.all(
    Array.from({ length: ROUNDS + 1 }, async (_, round) => {
      const person = await signUp(origin, `careful-${round}`)
      const { secret } = await person.ask<{ secret: string }>(
        'POST',
        '/api/account/second-factor',
        {},
      )
      const confirmed = { code: appCode(secret, new Date()) }
      await person.ask('POST', '/api/account/second-factor/confirm', confirmed)
      return secret
    }),
  )
  const scan = async () => {
    const headers = { 'user-agent': IPHONE }
    const response = await fetch(`${origin}/qr/${code.shortCode}`, { headers, redirect: 'manual' })
    await response.arrayBuffer()
    await pause(FOLDED_MS)
  }
  await scan()
  const figures = `/api/analytics/breakdown?facet=country&qr=${code.id}&range=30d`
  return {
    'PATCH of a code': async (round) => {
      const change = { name: `Menu ${round}`, url: `https://example.com/${round}` }
      await owner.ask('PATCH', `/api/qr-codes/${code.id}`, change)
    },
    "the drawer's countries": async () => {
      await owner.ask('GET', figures)
    },
    'a sign-in with a second step': async (round) => {
      const browser = new Caller(origin)
      const account = { email: `careful-${round}@example.com`, password: PASSWORD }
      await browser.ask('POST', '/api/auth/sign-in/email', account)
      // The code of the next half minute counts too; this one was used by the confirmation.
      const next = appCode(careful[round] ?? '', new Date(Date.now() + 30_000))
      await browser.ask('POST', '/api/auth/sign-in/second-factor', { code: next })
    },
    'a scan from socket to row': scan,
  }
}

async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tessera-files-'))
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const child = spawn(
    join(checkout, 'node_modules/.bin/node'),
    ['--inspect=127.0.0.1:0', 'src/server/main.ts'],
    {
      cwd: checkout,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        ...process.env,
        PORT: `${port}`,
        HOST: '127.0.0.1',
        PUBLIC_URL: origin,
        DATA_DIR: dataDir,
        LOG_LEVEL: 'silent',
      },
    },
  )
  try {
    let said = ''
    for await (const part of child.stderr) {
      said += part
      if (said.includes('ws://')) break
    }
    const url = /ws:\/\/\S+/.exec(said)?.[0] ?? ''
    while (!(await fetch(`${origin}/readyz`).catch(() => undefined))?.ok) {
      if (child.exitCode !== null) throw new Error(`The service ended. Is it built? ${said}`)
      await pause(50)
    }
    const inspector = await Inspector.open(url)
    for (const [name, ask] of Object.entries(await requests(origin))) {
      await ask(0)
      let common: Set<string> | undefined
      for (let round = 1; round <= ROUNDS; round++) {
        await inspector.filesThatRan()
        await ask(round)
        const files = await inspector.filesThatRan()
        common = common ? common.intersection(files) : files
      }
      const files = [...(common ?? [])].map((file) => file.split(`${checkout}/`)[1]).sort()
      console.log(
        `${name}: ${files.length} files\n${files.map((file) => `    ${file}`).join('\n')}`,
      )
    }
    inspector.close()
  } finally {
    if (child.kill('SIGTERM')) await once(child, 'exit')
    await rm(dataDir, { recursive: true, force: true })
  }
}

await main()
