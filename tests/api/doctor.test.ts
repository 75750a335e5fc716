import { execFileSync } from 'node:child_process'
import { mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { checkStripe } from '../../scripts/stripe/stripe-check.ts'
import { EVENTS } from '../../scripts/stripe/stripe-endpoint.ts'
import { DAY_MS, HOUR_MS } from '../../src/contract/time.ts'
import { sqlScans } from '../../src/server/analytics/store/sql-scans.ts'
import { setMark } from '../../src/server/database/service-marks.ts'
import { checkDatabase } from '../../src/server/doctor/database-checks.ts'
import type { Finding } from '../../src/server/doctor/finding.ts'
import { checkCertificate } from '../../src/server/doctor/public-address.ts'
import { DOCTOR_HEADER } from '../../src/server/http/operations.ts'
import { engines, oneEngineInCi } from '../support/engines.ts'
import { newFolder } from '../support/folder.ts'
import { freePort, listen } from '../support/free-port.ts'
import { isInstalled } from '../support/installed.ts'
import { STEP_LIMIT_MS } from '../support/limits.ts'
import { GOOD_PASSWORD, MailServer } from '../support/mail-server.ts'
import { startProcess } from '../support/process.ts'
import { endOf, runScript } from '../support/script.ts'
import { startStandIn } from '../support/stripe/stand-in.ts'
import { tesseraForTest } from '../support/tessera.ts'

type Said = { code: number; said: string }

/** The exit code and the lines of a run */
function saidBy({ code, stdout }: { code: number; stdout: string }): Said {
  const findings: Finding[] = JSON.parse(stdout)
  const lines = findings.map((one) => `${one.name}: ${one.level}: ${one.found} ${one.todo}`)
  return { code, said: lines.join('\n') }
}

/** Runs the script with these settings. */
const doctor = async (settings: Record<string, string>) =>
  saidBy(await endOf('doctor', settings, ['--json']))

/** As a user does, in a process of its own. */
const doctorApart = ({ DATA_DIR: dataDir = '', ...environment }: Record<string, string>) =>
  runScript('doctor', { dataDir, environment }, '--json').then(
    ({ stdout }) => saidBy({ code: 0, stdout }),
    saidBy,
  )

/** A proxy for the running test that says who asked; returns its port. */
async function forwardingProxy(toPort: number): Promise<number> {
  const server = createHttpServer(async ({ url, headers, socket }, response) => {
    const proof = String(headers[DOCTOR_HEADER])
    const forwarded = { [DOCTOR_HEADER]: proof, 'x-forwarded-for': socket.remoteAddress ?? '' }
    const answer = await fetch(`http://127.0.0.1:${toPort}${url}`, { headers: forwarded })
    response.writeHead(answer.status).end(await answer.text())
  })
  onTestFinished(() => void server.close())
  return listen(server)
}

test.each(engines)('beside a service on %s it says what to do', async (engine) => {
  const port = await freePort()
  const publicUrl = `http://127.0.0.1:${await forwardingProxy(port)}`
  const environment = { PORT: String(port), PUBLIC_URL: publicUrl }
  const { dataDir, config, secret, database } = await tesseraForTest({ engine, environment })
  const mails = await MailServer.start()
  onTestFinished(() => mails.stop())
  const { db } = database
  const at = Date.now() - 3 * DAY_MS
  const row = { id: '7-lrx0p1c5-0123456789', segment: 0, offset: 64, at }
  await db.insertInto('journals').values(row).execute()
  await setMark(db, 'held', { at, value: '' })
  await setMark(db, 'backup', { at, value: 'FILE' })
  await writeFile(join(dataDir, 'journal', 'refused-scans.jsonl'), '{}\n')
  await mkdir(join(dataDir, 'journal', '9-lrx0p1c5-9876543210'))
  const settings = {
    ...mails.environment,
    ...environment,
    DATA_DIR: dataDir,
    SESSION_SECRET: secret,
    BACKUP_DIR: dataDir,
    ...(config.databaseUrl && { DATABASE_URL: config.databaseUrl }),
  }

  const { code, said } = await (engine === 'sqlite' ? doctorApart : doctor)(settings)
  expect(code).toBe(2)
  for (const line of [
    /^proxy: problem: .* by 127.0.0.1, 127.0.0.1, .* Set TRUST_PROXY=1\.$/m,
    /^clock: ok: .* PUBLIC_URL/m,
    /^mail: ok/m,
    /^marks: warning: Mails and webhooks wait .* --release\.$/m,
    /^backup: warning: .* 72 hours/m,
    /^journal: warning: .* processes that have ended .* 9-lrx0p1c5-9876543210/m,
    /^journal: warning: .* refused-scans.jsonl/m,
    /^journal: warning: Journals from another machine .* 7-lrx0p1c5-0123456789/m,
    engine === 'sqlite' ? /^database file: ok/m : /^clock: ok: .* the database/m,
  ]) {
    expect(said).toMatch(line)
  }

  if (!oneEngineInCi.includes(engine)) return
  const SMTP_URL = `smtp://user:x${GOOD_PASSWORD}@127.0.0.1:${mails.port}`
  const another = await doctor({ ...settings, SMTP_URL, SESSION_SECRET: 'y'.repeat(32) })
  expect(another.said).toMatch(/^mail: problem: .*Wrong password/m)
  expect(another.said).toMatch(/^proxy: warning: .* does not know this SESSION_SECRET/m)
  expect(another.said).not.toContain(GOOD_PASSWORD)
})

test('no backup yet is a warning only if the service makes none by itself', async () => {
  const { database, config } = await tesseraForTest()
  const clock = () => new Date()
  const backups = { folder: config.dataDir, everyMs: HOUR_MS, kept: 1 }
  const newestScan = async () => undefined
  const without = await checkDatabase({ config, database, clock, newestScan })
  expect(without).toContainEqual(expect.objectContaining({ name: 'backup', level: 'warning' }))
  const made = await checkDatabase({ config: { ...config, backups }, database, clock, newestScan })
  expect(made).toContainEqual(expect.objectContaining({ name: 'backup', level: 'ok' }))
})

test('a clock an hour behind the newest scan is a problem', async () => {
  const { database, config } = await tesseraForTest()
  const clock = () => new Date(Date.now() - HOUR_MS)
  const scan = { id: 'x', code_id: 'x', at: Date.now(), class: 'person', rule: '', first: 1 }
  await database.db.insertInto('scans').values(scan).execute()
  const { newest } = sqlScans(database, { clock })
  const [, found] = await checkDatabase({ config, database, clock, newestScan: newest })
  expect(found).toMatchObject({ name: 'clock', level: 'problem' })
})

test('a start logs what is wrong; a SQLite file that is cut short, or gone, is a problem', async () => {
  const dataDir = await newFolder()
  const logged: string[] = []
  const onLog = (text: string) => logged.push(text)
  const environment = { LOG_LEVEL: 'warn' }
  const { stop, remove } = await startProcess({ dataDir, environment, onLog })
  onTestFinished(remove)
  await expect.poll(() => logged.join(''), { timeout: STEP_LIMIT_MS }).toContain('No backup')
  await stop()
  const file = join(dataDir, 'tessera.sqlite')
  await truncate(file, 8192)
  const cut = await doctor({ DATA_DIR: dataDir })
  expect(cut.said).toMatch(/^database file: problem: .* cut short: it has 8192 of \d+ bytes/m)
  await rm(file)
  expect((await doctor({ DATA_DIR: dataDir })).said).toMatch(/^database: problem: .* is gone/m)
})

test.each([
  ['a wrong setting', { PORT: 'eighty' }, /^configuration: problem: PORT is "eighty" .*$/],
  [
    'a database that is gone',
    { DATABASE_URL: 'postgres://127.0.0.1:9/tessera', SESSION_SECRET: 'x'.repeat(32) },
    /^database: problem: .* ECONNREFUSED[\s\S]*\nproxy: problem: PUBLIC_URL is not reached/m,
  ],
])('%s is a problem', async (_case, settings, lines) => {
  const place = { DATA_DIR: await newFolder(), PUBLIC_URL: 'http://localhost:9' }
  const { code, said } = await doctor({ ...place, ...settings })
  expect(code).toBe(2)
  expect(said).toMatch(lines)
})

test('payments need the key, the prices and the webhook endpoint', async () => {
  const { secretKey, origin, books, stop } = await startStandIn()
  onTestFinished(stop)
  const settings = {
    mode: 'test' as const,
    webhookSecrets: [],
    publishableKey: undefined,
    apiBase: origin,
    tax: undefined,
  }
  const check = (key: string) =>
    checkStripe({ ...settings, secretKey: key }, 'https://qr.example.com')
  expect((await check(secretKey)).map(({ found }) => found)).toEqual([
    expect.stringContaining('prices of our plans: tessera_starter_monthly'),
    'Stripe has no webhook endpoint for PUBLIC_URL.',
  ])
  books.endpoints.set('we_1', {
    ...books.stamp('webhook_endpoint', 'we'),
    url: 'https://qr.example.com/api/billing/webhook',
    enabled_events: EVENTS,
    status: 'disabled',
    api_version: null,
    secret: '',
  })
  expect((await check(secretKey)).map(({ found }) => found).slice(1)).toEqual([
    'The webhook endpoint for PUBLIC_URL is disabled.',
    'The webhook endpoint for PUBLIC_URL has an older API version.',
  ])
  await expect(check('sk_test_other')).rejects.toThrow('Invalid API Key')
})

test.skipIf(!isInstalled('openssl'))(
  'a certificate that browsers refuse is a problem',
  async () => {
    const folder = await newFolder()
    const [keyFile, file] = [join(folder, 'key'), join(folder, 'certificate')]
    const names = '-subj /CN=localhost -addext subjectAltName=DNS:localhost'
    const options = `req -x509 -newkey rsa:2048 -nodes -days 10 ${names} -keyout ${keyFile} -out ${file}`
    execFileSync('openssl', options.split(' '), { stdio: 'ignore' })
    const [key, cert] = [await readFile(keyFile, 'utf8'), await readFile(file, 'utf8')]
    const server = createServer({ key, cert })
    onTestFinished(() => void server.close())
    const url = `https://localhost:${await listen(server)}`
    const found = 'Browsers refuse the certificate of PUBLIC_URL: DEPTH_ZERO_SELF_SIGNED_CERT.'
    expect(await checkCertificate(url, Date.now())).toMatchObject([{ level: 'problem', found }])
  },
)
