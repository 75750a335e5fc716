import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { memoryLimits } from '../../src/server/http/limits/limits.ts'
import { BEHIND_PROXY } from '../support/crowd.ts'
import { eventually } from '../support/ledger.ts'
import { TEST_LIMIT_MS } from '../support/limits.ts'
import { newPerson } from '../support/person.ts'
import { expectRefusal } from '../support/refusal.ts'
import { runTessera, tesseraForTest } from '../support/tessera.ts'
import { visit } from '../support/visitors.ts'

const STRANGER = '203.0.113.7'

describe('a flood of requests', () => {
  const tessera = runTessera({ environment: BEHIND_PROXY })

  /** Sends the same request `count` times without waiting; collects the statuses as they arrive. */
  async function flood(count: number, path: string) {
    const { hostname, port } = new URL(tessera.origin)
    const client: Socket = connect(Number(port), hostname)
    await once(client, 'connect')
    const statuses: number[] = []
    client.setEncoding('latin1').on('data', (text: string) => {
      for (const [, status] of text.matchAll(/HTTP\/1\.1 (\d{3}) /g)) statuses.push(Number(status))
    })
    const head = `Host: ${hostname}\r\nX-Forwarded-For: ${STRANGER}`
    client.write(`GET ${path} HTTP/1.1\r\n${head}\r\n\r\n`.repeat(count))
    return { client, statuses }
  }

  const fromElsewhere = (path: string, address = '203.0.113.8') =>
    fetch(tessera.origin + path, { headers: { 'x-forwarded-for': address } })

  test('holds up no scan and no other address, and is refused beyond the limit', async () => {
    const { shortCode } = await (await newPerson(tessera)).code()
    const { max } = memoryLimits['address-reads']
    // A busy machine takes longer than the limit's minute.
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    onTestFinished(() => clock.mockRestore())
    const { client, statuses } = await flood(max + 50, '/healthz')
    await eventually(() => statuses.length > 0)
    expect((await visit(`${tessera.origin}/qr/${shortCode}`)).status).toBe(302)
    expect((await fromElsewhere('/')).status).toBe(200)
    expect(statuses.length).toBeLessThan(max)
    // An answer that came in two parts is not counted.
    await eventually(() => statuses.filter((status) => status === 429).length > 40, TEST_LIMIT_MS)
    const refused = await fromElsewhere('/', `${STRANGER}:4711`)
    await expectRefusal(refused, 'rate_limited')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    const scan = { headers: { 'x-forwarded-for': STRANGER } }
    expect((await visit(`${tessera.origin}/qr/${shortCode}`, scan)).status).toBe(302)
    client.destroy()
  })
})

test('requests of IPv6 addresses count by their network', async () => {
  const tessera = await tesseraForTest({ environment: BEHIND_PROXY })
  const { max } = memoryLimits.visits
  const answerTo = (address: string, accept = '*/*') =>
    fetch(`${tessera.origin}/api/login`, { headers: { 'x-forwarded-for': address, accept } })
  const statusOf = async (address: string) => (await answerTo(address)).status
  for (let visits = 0; visits < max; visits++) {
    expect(await statusOf(`[2001:db8:1:2::${visits.toString(16)}]:443`)).toBe(200)
  }
  expect(await statusOf('2001:db8:1:2:ffff::1')).toBe(429)
  const page = await answerTo('2001:db8:1:2:ffff::1', 'text/html,*/*')
  expect([page.status, await page.text()]).toEqual([429, expect.stringContaining('<h1>Too many')])
  expect(await statusOf('2001:db8:1:3::1')).toBe(200)
})

test('a missing TRUST_PROXY is logged once', async () => {
  const lines: string[] = []
  const tessera = await tesseraForTest({ logTo: { write: (line) => void lines.push(line) } })
  const told = () => lines.filter((line) => line.includes('Set TRUST_PROXY'))
  await fetch(`${tessera.origin}/healthz`)
  expect(told()).toHaveLength(0)
  for (let visits = 0; visits < 3; visits++) {
    await fetch(`${tessera.origin}/healthz`, { headers: { 'x-forwarded-for': STRANGER } })
  }
  expect(told()).toHaveLength(1)
})
