import { createServer, type IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import type { CodeChange, QrCode } from '../../src/contract/codes/codes.ts'
import { DAY_MS, HOUR_MS } from '../../src/contract/time.ts'
import { BELIEVED_MS, setMark } from '../../src/server/database/service-marks.ts'
import { engines } from '../support/engines.ts'
import { forBlock } from '../support/for-block.ts'
import { listen } from '../support/free-port.ts'
import { runJobs } from '../support/jobs.ts'
import { allSent } from '../support/mailbox.ts'
import { mailsTo } from '../support/outbox.ts'
import { enrolPerson, newPerson, prove } from '../support/person.ts'
import { expectRefusal } from '../support/refusal.ts'
import { runTessera, type Tessera, tesseraForTest } from '../support/tessera.ts'
import { visit } from '../support/visitors.ts'

const ON = { WEBHOOK_ALLOW: '127.0.0.0/8', HEALTH_CHECKS: 'on' }
const CHECKS = { environment: ON, asking: { pause: async () => {} } }
const ELSEWHERE = 'https://example.com/elsewhere'

/** A site whose paths answer with their status, or lead to an address; what was asked, in its order */
async function startSite() {
  const asked: string[] = []
  const agents = new Set<string>()
  const answers: Record<string, number | string> = {}
  const server = createServer(({ method, url = '', headers }: IncomingMessage, response) => {
    asked.push(`${method} ${url}`)
    agents.add(`${headers['user-agent']}`)
    const answer = answers[url] ?? 200
    if (typeof answer === 'number') response.writeHead(answer).end()
    else response.writeHead(302, { location: answer }).end()
  })
  const port = await listen(server, '0.0.0.0')
  const at = (path: string, host = '127.0.0.1') => `http://${host}:${port}${path}`
  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()))
  return { asked, agents, answers, at, stop }
}

/** Passes the time, as the server's jobs see it. */
async function pass(tessera: Tessera, hours: number) {
  for (let passed = 0; passed < hours; passed += 3) {
    tessera.clock.advance(3 * HOUR_MS)
    await runJobs(tessera)
    await tessera.app.healthIdle()
  }
}

describe.each(engines)('checks of destinations on %s', (engine) => {
  const site = forBlock(startSite)
  const tessera = runTessera({ ...CHECKS, engine, now: '2026-11-27T06:00:00Z' })
  const ada = enrolPerson(tessera, 'unlimited')
  const codeTo = (path: string, change: CodeChange = {}) =>
    ada.code({ url: site.at(path), ...change })
  const read = ({ id }: QrCode) => ada.ask<QrCode>(`/api/qr-codes/${id}`)
  const leads = async ({ shortCode }: QrCode) =>
    (await visit(`${tessera.origin}/qr/${shortCode}`)).headers.location
  beforeEach(() => {
    site.asked.length = 0
  })

  test('each destination in use is asked once a day, by HEAD, under our name', async () => {
    const rules = [{ languages: ['pl'], variants: [{ url: site.at('/pl'), share: 100 }] }]
    const code = await codeTo('/menu', { fallbackUrl: site.at('/else'), rules })
    await codeTo('/menu')
    await codeTo('/off', { checksDestination: false })
    const paused = await codeTo('/paused')
    await ada.change(paused.id, { isActive: false })
    expect(code).toMatchObject({ checksDestination: true, fallbackWhenDead: false, health: null })
    await pass(tessera, 24)
    expect(site.asked.toSorted()).toEqual(['HEAD /else', 'HEAD /menu', 'HEAD /pl'])
    expect([...site.agents]).toEqual([`TesseraCheck/1 (+${tessera.config.publicUrl}/api/checks)`])
    expect([...site.agents][0]).not.toMatch(/link/i)
    expect((await fetch(`${tessera.origin}/api/checks`)).status).toBe(200)
    const health = { state: 'alive', since: expect.any(String), seen: '200 OK' }
    expect(await read(code)).toEqual({ ...code, health })
    await pass(tessera, 24)
    expect(site.asked.filter((each) => each.endsWith('/menu'))).toHaveLength(2)
  })

  test('redirects are followed hop by hop, and never into our own network', async () => {
    Object.assign(site.answers, { '/hop': '/end', '/inside': 'http://10.0.0.1/', '/end': 200 })
    site.answers['/circle'] = '/circle'
    site.answers['/bots'] = 403
    const paths = ['/hop', '/inside', '/circle', '/bots']
    const codes = await Promise.all(paths.map((path) => codeTo(path)))
    await pass(tessera, 6)
    const healths = await Promise.all(codes.map(read))
    expect(healths.map(({ health }) => [health?.state, health?.seen])).toEqual([
      ['alive', '200 OK'],
      ['unclear', 'The address isn’t on the public internet'],
      ['alive', '302 Found'],
      ['unclear', '403 Forbidden'],
    ])
    expect(site.asked).toContain('HEAD /end')
    expect(site.asked.filter((each) => each.endsWith('/circle'))).toHaveLength(6)
    expect(site.asked.filter((each) => each.endsWith('/bots'))).toEqual(['HEAD /bots', 'GET /bots'])
  })

  test('a dead destination is told once, and visitors go to the fallback until it is back', async () => {
    site.answers['/gone'] = 404
    const choice = { fallbackUrl: ELSEWHERE, fallbackWhenDead: true }
    const code = await codeTo('/gone', { name: 'Poster', ...choice })
    const other = await codeTo('/gone')
    await prove(ada)
    await pass(tessera, 15)
    expect([(await read(code)).health, await leads(code)]).toEqual([null, code.url])
    await pass(tessera, 9)
    const dead = { state: 'dead', seen: '404 Not Found' }
    expect(await read(code)).toMatchObject({ health: dead, version: code.version })
    expect([await leads(code), await leads(other)]).toEqual([ELSEWHERE, other.url])
    await pass(tessera, 24)
    await allSent(tessera)
    const [mail, ...more] = await mailsTo(tessera, ada.email)
    expect(more).toEqual([])
    expect(mail?.subject).toBe('The destinations of 2 QR codes aren’t working')
    expect(mail?.text).toContain('Poster: 404 Not Found')
    site.answers['/gone'] = 200
    await pass(tessera, 30)
    expect((await read(code)).health?.state).toBe('alive')
    expect(await leads(code)).toBe(code.url)
  })

  test('a new destination, and a code without checks, has no health', async () => {
    const code = await codeTo('/known')
    await pass(tessera, 6)
    expect((await read(code)).health?.state).toBe('alive')
    expect((await ada.change(code.id, { url: site.at('/other') })).health).toBeNull()
    await pass(tessera, 6)
    expect((await read(code)).health?.state).toBe('alive')
    expect((await ada.change(code.id, { checksDestination: false })).health).toBeNull()
    await pass(tessera, 6)
    expect((await read(code)).health).toBeNull()
  })

  test('the fallback for a dead destination needs a fallback, and goes with it', async () => {
    const code = await codeTo('/menu')
    await expectRefusal(ada.patch(code.id, { fallbackWhenDead: true }), 'invalid_input')
    const chosen = await ada.change(code.id, { fallbackUrl: ELSEWHERE, fallbackWhenDead: true })
    expect(chosen.fallbackWhenDead).toBe(true)
    expect((await ada.change(code.id, { fallbackUrl: null })).fallbackWhenDead).toBe(false)
  })
})

describe('of a server', () => {
  const site = forBlock(startSite)

  test('no failure counts while a third of all hosts fail', async () => {
    const tessera = await tesseraForTest(CHECKS)
    const ada = await newPerson(tessera, 'unlimited')
    const codes = await Promise.all(
      [2, 3, 4, 5].map((last) => ada.code({ url: site.at(`/${last}`, `127.0.0.${last}`) })),
    )
    for (const path of ['/2', '/3', '/4']) site.answers[path] = 500
    await pass(tessera, 30)
    const now = await ada.ask<QrCode[]>('/api/qr-codes')
    const alive = now.filter(({ health }) => health)
    expect(alive).toMatchObject([{ id: codes[3]?.id, health: { state: 'alive' } }])
  })

  test('nothing is written while the database is moved', async () => {
    site.answers['/moved'] = 404
    // Between HEAD and GET, and until the mark is believed
    const pause = async () => {
      await setMark(tessera.database.db, 'moving', { at: Date.now() + DAY_MS, value: '' })
      await wait(BELIEVED_MS + 100)
    }
    const tessera = await tesseraForTest({ environment: ON, asking: { pause } })
    const ada = await newPerson(tessera)
    await ada.code({ url: site.at('/moved') })
    await pass(tessera, 3)
    expect(site.asked).toContain('GET /moved')
    const checks = tessera.database.db.selectFrom('destination_checks').select('fails')
    expect(await checks.execute()).toEqual([{ fails: 0 }])
  })

  test('nothing is asked with HEALTH_CHECKS=off', async () => {
    const tessera = await tesseraForTest({ environment: { ...ON, HEALTH_CHECKS: 'off' } })
    const ada = await newPerson(tessera)
    await ada.code({ url: site.at('/quiet') })
    await pass(tessera, 6)
    expect(site.asked).not.toContain('HEAD /quiet')
  })
})
