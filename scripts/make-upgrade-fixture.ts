/**
 * `node scripts/make-upgrade-fixture.ts CHECKOUT NAME POSTGRES_URL` runs the version in a checkout,
 * whose packages are installed and pages built, and keeps a database of each
 * engine, the scans that wait in DATA_DIR, and the facts that a later version must still know. The fixture goes to
 * tests/fixtures/upgrades/NAME; tests/api/upgrades.test.ts starts this version on it.
 */
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import type { Location } from '../src/server/database/connect.ts'
import { appCode } from '../tests/support/authenticator-app.ts'
import { holdLedger } from '../tests/support/held-database.ts'
import { mailsTo } from '../tests/support/outbox.ts'
import { type ServerProcess, settingsOf, startProcess } from '../tests/support/process.ts'
import { SoftwareAuthenticator } from '../tests/support/software-authenticator.ts'
import { IPHONE } from '../tests/support/visitors.ts'
import { Caller } from './caller.ts'

const PASSWORD = 'correct horse battery'
const SECRET = 'a secret that only the tests know'
/** Scans that wait in a spill file or a journal when the version ends. */
const WAITING_SCANS = 20

const [checkout = '', name = '', postgres = ''] = process.argv.slice(2)
const target = resolve('tests/fixtures/upgrades', name)

type Json = Record<string, unknown>

const signUp = (origin: string, email: string) => Caller.signUp(origin, email, PASSWORD)

async function buy(browser: Caller, tier: string): Promise<void> {
  const order = { tier, billing: 'annual' }
  const path = '/api/create-checkout-session'
  const { checkoutUrl } = await browser.ask<{ checkoutUrl: string }>('POST', path, order)
  const id = new URL(checkoutUrl).pathname.split('/').at(-1)
  const page = `/api/checkout/${id}`
  const payment = { action: 'pay', card: 'pays' }
  // Earlier versions have an address for each act.
  await browser.ask('POST', `${page}/page`, payment).catch((error: Error) => {
    if (!error.message.includes(': 404 ')) throw error
    return browser.ask('POST', `${page}/pay`, payment)
  })
}

async function scan(origin: string, path: string, visitor: string): Promise<void> {
  const headers = { 'user-agent': `${IPHONE} ${visitor}` }
  const response = await fetch(`${origin}/qr/${path}`, { headers, redirect: 'manual' })
  await response.arrayBuffer()
  if (response.status !== 302) throw new Error(`${path}: ${response.status}`)
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let round = 0; round < 600; round++) {
    if (await isSo()) return
    await new Promise((done) => setTimeout(done, 50))
  }
  throw new Error('the condition did not hold in time')
}

/** Waits for a mail to this address and returns the token at the end of its link. */
async function mailedToken(dataDir: string, email: string, subject: RegExp): Promise<string> {
  let token = ''
  await until(async () => {
    const mails = await mailsTo({ dataDir }, email)
    const text = mails.find((mail) => subject.test(mail.subject ?? ''))?.text
    token = /#([\w-]{20,})/.exec(text ?? '')?.[1] ?? ''
    return token !== ''
  })
  return token
}

/** Does what users do, and returns the facts that a later version must still know. */
async function live({ origin, dataDir, stop }: ServerProcess, place: Location): Promise<Json> {
  const owner = await signUp(origin, 'owner@example.com')
  await buy(owner, 'professional')
  const menu = await owner.code({
    name: 'Menu',
    url: 'https://example.com/menu',
    vanityUrl: 'old-menu',
  })
  await owner.ask('PATCH', `/api/qr-codes/${menu.id}`, { vanityUrl: 'menu' })
  const plain = await owner.code({
    name: 'Plain',
    url: 'https://example.com/plain',
    style: 'rounded',
    foregroundColor: '#166534',
  })
  const paused = await owner.code({ name: 'Paused', url: 'https://example.com/paused' })
  await owner.ask('PATCH', `/api/qr-codes/${paused.id}`, { isActive: false })
  const binned = await owner.code({
    name: 'Binned',
    url: 'https://example.com/binned',
    vanityUrl: 'binned',
  })
  await scan(origin, binned.shortCode, 'b/1')
  const free = await signUp(origin, 'free@example.com')
  const ending = await free.code({ name: 'Ending', url: 'https://example.com/ending' })
  for (let visitor = 0; visitor < 12; visitor++)
    await scan(origin, visitor % 3 ? 'menu' : menu.shortCode, `m/${visitor % 5}`)
  for (let visitor = 0; visitor < 7; visitor++) await scan(origin, plain.shortCode, `p/${visitor}`)
  for (let visitor = 0; visitor < 3; visitor++) await scan(origin, ending.shortCode, `e/${visitor}`)
  type Total = { totalScans: number }
  await until(async () => (await owner.ask<Total>('GET', '/api/analytics/user')).totalScans === 20)
  await until(async () => (await free.ask<Total>('GET', '/api/analytics/user')).totalScans === 3)
  await owner.ask('DELETE', `/api/qr-codes/${binned.id}`)

  const facts: Json = { madeAt: '', origin, password: PASSWORD }
  facts.secondSteps = await liveWithSecondSteps(origin, dataDir)
  facts.owner = {
    email: 'owner@example.com',
    cookie: owner.cookie,
    user: await owner.ask('GET', '/api/auth/user'),
    codes: await owner.ask('GET', '/api/qr-codes'),
    bin: await owner.ask('GET', '/api/qr-codes/bin'),
    subscription: await owner.ask('GET', '/api/user/subscription'),
    scans: await scansOf(owner, [menu.id, plain.id, paused.id]),
    menu: menu.id,
    plain: plain.id,
  }
  facts.free = {
    email: 'free@example.com',
    cookie: free.cookie,
    codes: await free.ask('GET', '/api/qr-codes'),
    scans: await scansOf(free, [ending.id]),
  }
  facts.links = {
    menu: 'https://example.com/menu',
    'old-menu': 'https://example.com/menu',
    [menu.shortCode]: 'https://example.com/menu',
    [plain.shortCode]: 'https://example.com/plain',
    [paused.shortCode]: 410,
    [ending.shortCode]: 'https://example.com/ending',
    binned: 410,
  }
  for (const path of Object.keys(facts.links as Json)) {
    const response = await fetch(`${origin}/qr/${path}`, { method: 'HEAD', redirect: 'manual' })
    ;(facts.links as Json)[path] = response.headers.get('location') ?? response.status
  }
  // These scans of Plain wait on disk when the version ends.
  const { release } = await holdLedger(place)
  for (let visitor = 0; visitor < WAITING_SCANS; visitor++)
    await scan(origin, plain.shortCode, `w/${visitor}`)
  facts.waitingScans = WAITING_SCANS
  facts.madeAt = new Date().toISOString()
  await stop()
  await release()
  return facts
}

async function scansOf(browser: Caller, ids: string[]): Promise<Json> {
  const byCode = await Promise.all(
    ids.map((id) => browser.ask('GET', `/api/analytics/qr-code/${id}`)),
  )
  return {
    user: await browser.ask('GET', '/api/analytics/user'),
    codes: Object.fromEntries(ids.map((id, index) => [id, byCode[index]])),
  }
}

/** People with a second step, a passkey and links in their mail. */
async function liveWithSecondSteps(origin: string, dataDir: string): Promise<Json> {
  const careful = await signUp(origin, 'careful@example.com')
  const { secret } = await careful.ask<{ secret: string }>('POST', '/api/account/second-factor', {})
  const code = appCode(secret, new Date())
  const { codes } = await careful.ask<{ codes: string[] }>(
    'POST',
    '/api/account/second-factor/confirm',
    { code },
  )

  const keyed = await signUp(origin, 'keyed@example.com')
  const device = new SoftwareAuthenticator()
  const options = await keyed.ask('POST', '/api/account/passkeys/options', {})
  const response = device.create(options as never, { origin })
  await keyed.ask('POST', '/api/account/passkeys', { name: 'My phone', response })
  const credential = device.credentials[0]
  if (!credential) throw new Error('no passkey')

  const mailed = await signUp(origin, 'mailed@example.com')
  await mailed.ask('POST', '/api/auth/forgot-password', { email: 'mailed@example.com' })
  const resetToken = await mailedToken(dataDir, 'mailed@example.com', /password/i)
  return {
    careful: {
      email: 'careful@example.com',
      cookie: careful.cookie,
      secret,
      recoveryCode: codes[0],
    },
    keyed: {
      email: 'keyed@example.com',
      cookie: keyed.cookie,
      passkey: {
        id: credential.id.toString('base64url'),
        key: credential.key.export({ format: 'jwk' }),
        rpId: credential.rpId,
        userHandle: credential.userHandle,
      },
    },
    mailed: { email: 'mailed@example.com', cookie: mailed.cookie, resetToken },
  }
}

/** Keeps the scans of DATA_DIR that wait for the database, compressed: a segment of a journal is mostly empty. */
function keepScans(dataDir: string, engine: string): void {
  for (const folder of ['spill', 'journal']) {
    const names = existsSync(join(dataDir, folder))
      ? readdirSync(join(dataDir, folder), { recursive: true, encoding: 'utf8' })
      : []
    for (const file of names.map((name) => join(folder, name))) {
      if (!statSync(join(dataDir, file)).isFile()) continue
      const kept = join(target, engine, 'files', `${file}.gz`)
      mkdirSync(dirname(kept), { recursive: true })
      writeFileSync(kept, gzipSync(readFileSync(join(dataDir, file)), { level: 9 }))
    }
  }
}

async function make(engine: 'sqlite' | 'postgres'): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tessera-fixture-'))
  const database = `upgrade_${name}_${engine}`.replace(/\W/g, '_')
  const url = new URL(postgres)
  url.pathname = `/${database}`
  const place: Location =
    engine === 'sqlite'
      ? { engine, file: join(dataDir, 'tessera.sqlite') }
      : { engine, url: url.href }
  if (engine === 'postgres') await onServer(`create database ${database}`)
  const bin = join(resolve(checkout), 'node_modules/.bin')
  const server = await startProcess({
    folder: checkout,
    dataDir,
    environment: {
      ...settingsOf(place),
      PATH: `${bin}:${process.env.PATH}`,
      SESSION_SECRET: SECRET,
      BILLING: 'sandbox',
      LOG_LEVEL: 'warn',
    },
  })
  const facts = await live(server, place)
  mkdirSync(join(target, engine), { recursive: true })
  writeFileSync(join(target, engine, 'facts.json'), `${JSON.stringify(facts, null, 2)}\n`)
  if (place.engine === 'sqlite') {
    const handle = new Sqlite(place.file)
    handle.exec('vacuum; pragma wal_checkpoint(truncate)')
    handle.close()
    writeFileSync(
      join(target, engine, 'tessera.sqlite.gz'),
      gzipSync(readFileSync(place.file), { level: 9 }),
    )
  } else {
    const dump = execFileSync(
      'pg_dump',
      ['--inserts', '--no-owner', '--no-privileges', place.url],
      { encoding: 'utf8', maxBuffer: 1 << 28 },
    )
    const statements = dump
      .split('\n')
      .filter((line) => !line.startsWith('\\') && !line.startsWith('--'))
      .join('\n')
    writeFileSync(join(target, engine, 'tessera.sql.gz'), gzipSync(statements, { level: 9 }))
    await onServer(`drop database ${database} with (force)`)
  }
  keepScans(dataDir, engine)
  rmSync(dataDir, { recursive: true, force: true })
}

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgres })
  await client.connect()
  await client.query(statement)
  await client.end()
}

rmSync(target, { recursive: true, force: true })
await make('sqlite')
await make('postgres')
