import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { engines } from '../support/engines.ts'
import { newFolder } from '../support/folder.ts'
import { forBlock } from '../support/for-block.ts'
import { eventually, ledgerOf } from '../support/ledger.ts'
import { writeMmdb } from '../support/mmdb.ts'
import { printCode } from '../support/printed-code.ts'
import { startTessera } from '../support/tessera.ts'
import { visit } from '../support/visitors.ts'

const GERMAN_ADDRESS = '85.214.132.117'
const GOOGLEBOT = 'Googlebot/2.1 (+http://www.google.com/bot.html)'

describe.each(engines)('places on %s', (engine) => {
  const service = forBlock(async () => {
    const file = join(await newFolder(), 'ipv4.mmdb')
    const record = { country_code: 'DE', state1: 'Berlin', city: 'Berlin' }
    writeMmdb(file, { '85.214.0.0/16': record }, { ipVersion: 4 })
    const environment = {
      GEOIP_DATABASE: `missing.mmdb,${file}`,
      GEO_HEADERS: 'cloudflare',
      TRUST_PROXY: '127.0.0.1',
    }
    return startTessera({ engine, environment })
  })

  /** The ledger's row of one scan with these headers. */
  async function scanned(headers: Record<string, string>) {
    const code = await printCode(service.database.db)
    const answer = await visit(`${service.origin}/qr/${code.key}`, {
      headers: { 'x-forwarded-for': GERMAN_ADDRESS, ...headers },
    })
    expect(answer.status).toBe(302)
    const rows = async () =>
      (await ledgerOf(service.database)).filter((row) => row.code_id === code.id)
    await eventually(async () => (await rows()).length === 1)
    return (await rows())[0]
  }

  const inBogota = {
    'cf-ipcountry': 'CO',
    'cf-region': Buffer.from('Bogotá D.C.').toString('latin1'),
    'cf-ipcity': Buffer.from('Bogotá').toString('latin1'),
  }

  test('come from the database of the operator', async () => {
    const berlin = { country: 'DE', region: 'Berlin', city: 'Berlin' }
    expect(await scanned({})).toMatchObject({ class: 'person', device: 'Mobile', ...berlin })
  })

  test('come from the headers of a trusted CDN', async () => {
    const bogota = { country: 'CO', region: 'Bogotá D.C.', city: 'Bogotá' }
    expect(await scanned(inBogota)).toMatchObject({ class: 'person', ...bogota })
    // The same visitor, somewhere else: what was cached for the one place is not used for the other.
    expect(await scanned({})).toMatchObject({ city: 'Berlin' })
  })

  test('that are unknown cost a scan neither its class nor its device', async () => {
    const tor = await scanned({ 'cf-ipcountry': 'T1', 'cf-ipcity': 'x'.repeat(4_000) })
    expect(tor).toMatchObject({ class: 'person', device: 'Mobile', country: null, city: null })
    const bot = await scanned({ 'user-agent': GOOGLEBOT, 'cf-ipcountry': '<%00>' })
    expect(bot).toMatchObject({ class: 'bot', city: 'Berlin' })
  })
})
