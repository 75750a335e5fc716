import { spawn } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ConnectionOptions, connect } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import type { Domain } from '../../src/contract/integrations/domains.ts'
import { DAY_MS } from '../../src/contract/time.ts'
import { DnsServer } from '../support/dns-server.ts'
import { newFolder } from '../support/folder.ts'
import { freePort } from '../support/free-port.ts'
import { isInstalled } from '../support/installed.ts'
import { jobsAfter } from '../support/jobs.ts'
import { newPerson } from '../support/person.ts'
import { ended } from '../support/process.ts'
import { tesseraForTest } from '../support/tessera.ts'

/* Certificates of customers' domains, by Debian's Caddy with its own authority and deploy/Caddyfile. */

/** A certificate is renewed after two thirds of it. */
const LIFETIME = '4s'
/** Handshakes cost time, and certificates are for seconds. */
const SLOWLY = { interval: 200 }
const OURS = 'qr.example.com'
const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604'

/** The Caddyfile, for these ports and for certificates of Caddy's own authority. */
async function caddyfile(port: number, { http, https, folder }: Record<string, number | string>) {
  const text = await readFile('deploy/Caddyfile', 'utf8')
  const options = `admin off\nskip_install_trust\nhttp_port ${http}\nhttps_port ${https}\nstorage file_system ${folder}`
  return text
    .replace('{\n', `{\n${options}\n`)
    .replaceAll('localhost:3000', `localhost:${port}`)
    .replaceAll('on_demand\n', `on_demand\nissuer internal {\nlifetime ${LIFETIME}\n}\n`)
    .replace(`${OURS}} {`, `${OURS}} {\ntls internal`)
}

/** An answer by https, and the certificate that it came with; undefined without a certificate. */
function ask(port: number, host: string, path: string) {
  return new Promise<{ status: number; location: string; serial: string } | undefined>(
    (resolve) => {
      const options: ConnectionOptions = { port, host: '127.0.0.1', servername: host }
      const socket = connect({ ...options, rejectUnauthorized: false })
      let text = ''
      socket.setEncoding('utf8').on('data', (part) => {
        text += part
      })
      socket.once('error', () => resolve(undefined))
      socket.once('secureConnect', () => {
        const serial = socket.getPeerCertificate().serialNumber
        const headers = [`Host: ${host}`, `User-Agent: ${PHONE}`, 'Connection: close']
        socket.write(`GET ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`)
        socket.once('close', () => {
          const [, status = 0] = /^HTTP\/1\.1 (\d+)/.exec(text) ?? []
          const [, location = ''] = /\r\nlocation: (.*)\r\n/i.exec(text) ?? []
          resolve({ status: Number(status), location, serial })
        })
      })
    },
  )
}

test('a domain has a certificate from its proof until its removal takes effect', async ({
  skip,
}) => {
  if (!isInstalled('caddy')) return skip('Caddy is not installed')
  const dns = await DnsServer.start()
  dns.names.set('localhost', { A: ['127.0.0.1'] })
  const environment = { DNS_SERVERS: dns.address, TRUST_PROXY: '1', BILLING: 'sandbox' }
  const tessera = await tesseraForTest({ environment })
  const folder = await newFolder()
  const [http, https] = [await freePort(), await freePort()]
  const file = join(folder, 'Caddyfile')
  await writeFile(file, await caddyfile(tessera.config.port, { http, https, folder }))
  const caddy = spawn('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], {
    stdio: 'ignore',
    env: { ...process.env, HOME: folder },
  })
  onTestFinished(async () => {
    await ended(caddy, 'SIGTERM')
    await dns.stop()
    await rm(folder, { recursive: true, force: true })
  })
  const host = 'go.cafe-luna.com'
  const at = (path: string, asked = host) => ask(https, asked, path)
  const scan = async (path: string) => (await at(path))?.location
  await expect.poll(() => at('/healthz', OURS)).toMatchObject({ status: 200 })

  const ada = await newPerson(tessera, 'professional')
  const code = await ada.code()
  const domain = await ada.make<Domain>('/api/domains', { host })
  const call = (path = '', method = 'POST') =>
    ada.ask<Domain>(`/api/domains/${domain.id}${path}`, { method })
  expect(await at(`/${code.shortCode}`)).toBeUndefined()

  dns.names.set(`_tessera.${host}`, { TXT: [domain.records[0]?.value ?? ''] })
  expect(await call('/check')).toMatchObject({ state: 'pending', isProven: true })
  await expect.poll(() => scan(`/${code.shortCode}`)).toBe(code.url)
  dns.names.set(host, { A: ['127.0.0.1'] })
  expect(await call('/check')).toMatchObject({ state: 'active' })
  expect(await scan(`/qr/${code.shortCode}`)).toBe(code.url)
  const scans = () => ada.ask(`/api/analytics/qr-code/${code.id}`)
  await expect.poll(scans).toMatchObject({ totalScans: 2 })

  // Strangers ask by Caddy, on either host.
  for (const asked of [OURS, host]) {
    const answer = await at(`/api/tls-ask?domain=${host}`, asked)
    expect([asked, answer?.status]).toEqual([asked, 404])
  }
  expect(await at('/', 'other.cafe-luna.com')).toBeUndefined()

  /** A new certificate comes while links lead. */
  async function isRenewed() {
    const before = await at(`/${code.shortCode}`)
    await expect
      .poll(async () => {
        const now = await at(`/${code.shortCode}`)
        expect(now?.location).toBe(code.url)
        return now?.serial
      }, SLOWLY)
      .not.toBe(before?.serial)
  }
  dns.names.clear()
  expect(await call('/check')).toMatchObject({ state: 'failing' })
  await isRenewed()
  await call('', 'DELETE')
  await isRenewed()
  expect(await call('/restore')).toMatchObject({ state: 'failing' })
  await call('', 'DELETE')
  await jobsAfter(tessera, 31 * DAY_MS)
  // Once its certificate has ended, too.
  await expect.poll(() => at(`/${code.shortCode}`), SLOWLY).toBeUndefined()
})
