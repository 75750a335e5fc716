import { beforeAll, describe, expect, test } from 'vitest'
import type { QrCode } from '../../src/contract/codes/codes.ts'
import { allCounted } from '../support/all-counted.ts'
import { engines } from '../support/engines.ts'
import { ledgerOf } from '../support/ledger.ts'
import { enrolPerson } from '../support/person.ts'
import { runTessera } from '../support/tessera.ts'
import { visit } from '../support/visitors.ts'

/** The tables that billing writes. */
const BILLING = [
  'subscriptions',
  'customers',
  'checkouts',
  'billing_events',
  'payment_records',
  'sandbox_customers',
  'sandbox_sessions',
  'sandbox_subscriptions',
  'sandbox_invoices',
  'sandbox_events',
] as const

describe.each(engines)('printed codes on %s', (engine) => {
  const tessera = runTessera({ engine })
  const owner = enrolPerson(tessera, 'professional')
  let printed: QrCode[]
  beforeAll(async () => {
    printed = [await owner.code(), await owner.code({ vanityUrl: 'summer-menu' })]
  })

  const scan = (path: string) => visit(`${tessera.origin}/qr/${path}`)

  async function counted(): Promise<number> {
    await allCounted(tessera)
    return (await ledgerOf(tessera.database)).length
  }

  async function expectAllLead() {
    const names = printed.flatMap(({ shortCode, vanityUrl }) => [shortCode, vanityUrl ?? shortCode])
    for (const name of names) {
      const { status, headers } = await scan(name)
      expect({ status, to: headers.location }).toEqual({
        status: 302,
        to: 'https://example.com/menu',
      })
    }
    return names.length
  }

  test('work, and are counted, when all of billing is gone', async () => {
    const before = await counted()
    for (const table of BILLING) await tessera.database.db.schema.dropTable(table).execute()
    const scans = await expectAllLead()
    expect((await counted()) - before).toBe(scans)
    expect((await owner.call('/api/user/subscription')).status).toBe(500)
  })

  test('work when the process has to look them up again', async () => {
    tessera.app.announce(printed.flatMap(({ shortCode }) => [shortCode, 'summer-menu']))
    await expectAllLead()
  })
})
