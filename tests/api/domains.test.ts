import { request } from 'node:http'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { QrCode } from '../../src/contract/codes/codes.ts'
import type { MadeImport } from '../../src/contract/imports.ts'
import type { Domain, DomainList } from '../../src/contract/integrations/domains.ts'
import { DAY_MS, MINUTE_MS } from '../../src/contract/time.ts'
import { Agent } from '../support/agent.ts'
import { DnsServer } from '../support/dns-server.ts'
import { engines, oneEngineInCi } from '../support/engines.ts'
import { forBlock } from '../support/for-block.ts'
import { postFile, publishFile, sendFile } from '../support/import-file.ts'
import { jobsAfter } from '../support/jobs.ts'
import { mailTo, subjectsTo } from '../support/mailbox.ts'
import { newPerson, type Person, subscribe } from '../support/person.ts'
import { newProgram } from '../support/program.ts'
import { expectRefusal, refusal } from '../support/refusal.ts'
import { times } from '../support/soak.ts'
import { startAnother, startTessera } from '../support/tessera.ts'
import { visit } from '../support/visitors.ts'

describe.each(engines)('a domain on %s', (engine) => {
  let dns: DnsServer
  let ada: Person
  let count = 0
  /** A host of the running test's own */
  let host: string

  beforeAll(async () => {
    dns = await DnsServer.start()
    dns.names.set('localhost', { A: ['127.0.0.1'] })
  })
  afterAll(() => dns.stop())
  const environment = () => ({ DNS_SERVERS: dns.address, BILLING: 'sandbox' })
  const tessera = forBlock(() => startTessera({ engine, environment: environment() }))
  beforeEach(async () => {
    dns.isSilent = false
    ada = await newPerson(tessera, 'professional')
    count += 1
    host = `qr${count}.cafe-luna.com`
  })

  const add = (person: Person, name = host) => person.make<Domain>('/api/domains', { host: name })
  const check = (person: Person, { id }: Domain) => person.make<Domain>(`/api/domains/${id}/check`)
  const proofOf = ({ records }: Domain) => records[0]?.value ?? ''
  const prove = (domains: Domain[], name = host) =>
    dns.names.set(`_tessera.${name}`, { TXT: domains.map(proofOf) })
  const point = (name = host) => dns.names.set(name, { A: ['127.0.0.1'] })

  /** A proven domain that points here */
  async function proven(person: Person): Promise<Domain> {
    const domain = await add(person)
    prove([domain])
    point()
    return check(person, domain)
  }

  /** Asks this server by another host. */
  function ask(path: string, asked = host, method = 'GET') {
    return new Promise<{
      status: number
      location: string
      body: string
      cookies: boolean
      isCommon: boolean
    }>((resolve, reject) => {
      const { port } = tessera.config
      const call = { port, path, method, headers: { host: asked }, agent: false }
      request(call, async (answer) => {
        const { statusCode: status = 0, headers } = answer
        const body = Buffer.concat(await answer.toArray()).toString()
        const cookies = 'set-cookie' in headers
        const isCommon = headers['x-content-type-options'] === 'nosniff'
        resolve({ status, location: headers.location ?? '', body, cookies, isCommon })
      })
        .on('error', reject)
        .end()
    })
  }

  const leads = async (path: string, asked = host) => (await ask(path, asked)).location
  const mayHaveCertificate = async (name: string) =>
    (await ask(`/api/tls-ask?domain=${name}`, 'localhost')).status === 200
  /** The change has come into memory. */
  const certified = (is: boolean) => expect.poll(() => mayHaveCertificate(host)).toBe(is)

  test('is proved by a TXT record, leads from then on, and is active once it points here', async () => {
    const code = await ada.code()
    const domain = await add(ada)
    expect(domain).toMatchObject({ host, state: 'pending', isProven: false })
    expect(domain.records).toMatchObject([
      { type: 'TXT', name: `_tessera.${host}`, found: [], isThere: false },
      { type: 'CNAME', name: host, value: 'localhost', found: [], isThere: false },
      { type: 'A', name: host, value: '127.0.0.1', found: [], isThere: false },
    ])
    expect(await leads(`/qr/${code.shortCode}`)).toBe('https://example.com/menu')
    expect(await mayHaveCertificate(host)).toBe(false)

    prove([domain])
    expect(await check(ada, domain)).toMatchObject({ state: 'pending', isProven: true })
    await certified(true)
    for (const name of [code.shortCode, code.shortCode.toUpperCase()]) {
      expect(await leads(`/${name}`)).toBe('https://example.com/menu')
      expect(await leads(`/qr/${name}`, `${host}:443`)).toBe('https://example.com/menu')
    }

    point()
    expect(await check(ada, domain)).toMatchObject({ state: 'active' })
  })

  test('stays as it is while DNS does not answer', async () => {
    const domain = await proven(ada)
    dns.isSilent = true
    expect(await check(ada, domain)).toMatchObject({ state: 'active', isProven: true })
  }, 60_000)

  test('goes to another account once its holder’s proof has been gone for seven days, who is mailed', async () => {
    const bob = await newPerson(tessera, 'professional')
    const [menu, flyer] = [await ada.code(), await bob.code({ url: 'https://bob.example/' })]
    const first = await proven(ada)
    await ada.change(menu.id, { domain: host })
    const second = await add(bob)
    prove([first, second])
    expect(await check(bob, second)).toMatchObject({ state: 'pending', isProven: false })
    prove([second])
    expect(await check(bob, second)).toMatchObject({ isProven: false })
    tessera.clock.advance(7 * DAY_MS)
    expect(await check(bob, second)).toMatchObject({ state: 'active', isProven: true })
    await expect.poll(() => leads(`/${flyer.shortCode}`)).toBe(flyer.url)
    expect((await ask(`/${menu.shortCode}`)).status).toBe(404)
    expect(await ada.ask(`/api/qr-codes/${menu.id}`)).toMatchObject({ domain: null })
    const mail = await mailTo(tessera, ada.email, 'Your domain has a new owner here')
    expect(mail).toContain('Links on this domain no longer lead to your QR codes')
    const { domains } = await ada.ask<DomainList>('/api/domains')
    expect(domains).toMatchObject([{ host, state: 'pending', isProven: false }])
  })

  test('is claimed by two accounts many times at once in two processes, and one of them has it', async () => {
    const settings = { clock: tessera.clock, environment: environment() }
    const other = await startAnother(tessera, settings)
    const people = [ada, await newPerson(tessera, 'professional')]
    const claims = await Promise.all(people.map((person) => add(person)))
    prove(claims)
    const checks = Array.from({ length: times(12, 50) }, async (_, at) => {
      const { origin } = at % 4 < 2 ? tessera : other
      const { cookie } = people[at % 2] as Person
      const url = `${origin}/api/domains/${claims[at % 2]?.id}/check`
      return (await fetch(url, { method: 'POST', headers: { cookie, origin } })).status
    })
    expect(new Set(await Promise.all(checks))).toEqual(new Set([200]))
    await other.stop()
    const lists = await Promise.all(people.map((each) => each.ask<DomainList>('/api/domains')))
    const had = lists.flatMap(({ domains }) => domains).filter(({ isProven }) => isProven)
    expect(had).toHaveLength(1)
  })

  test('carries the links of codes that choose it, and each name that they had leads on', async () => {
    await proven(ada)
    const code = await ada.code({ vanityUrl: `menu-${count}` })
    const ours = `/qr/menu-${count}`
    const moved = await ada.change(code.id, { domain: host.toUpperCase() })
    expect(moved).toMatchObject({ domain: host, vanityUrl: `menu-${count}`, version: 3 })
    expect(moved.pictureVersion).not.toBe(code.pictureVersion)
    await expect.poll(() => leads(ours)).toBe(code.url)
    for (const path of [`/menu-${count}`, `/qr/MENU-${count}`, `/${code.shortCode}`]) {
      expect([path, await leads(path)]).toEqual([path, code.url])
    }
    expect(await leads(ours, 'localhost')).toBe(code.url)
    expect(await leads(`/qr/${code.shortCode}`, 'localhost')).toBe(code.url)

    // A change of where it leads is seen by every name on every host.
    await ada.change(code.id, { url: 'https://example.com/dinner' })
    for (const asked of [host, 'localhost']) {
      expect(await leads(ours, asked)).toBe('https://example.com/dinner')
      expect(await leads(`/qr/${code.shortCode}`, asked)).toBe('https://example.com/dinner')
    }
    const hidden = await ada.code({ password: 'sesame' })
    const form = { host, 'content-type': 'application/x-www-form-urlencoded' }
    const address = `${tessera.origin}/${hidden.shortCode}`
    const entered = await visit(address, { method: 'POST', body: 'password=sesame', headers: form })
    expect(entered).toMatchObject({ status: 303, headers: { location: hidden.url } })
    const answer = await ada.call('/api/account/export')
    const files = unzipSync(new Uint8Array(await answer.arrayBuffer()))
    expect(answer.headers.get('x-total-files')).toBe(String(Object.keys(files).length))
    const text = (file: string) => Buffer.from(files[file] ?? []).toString()
    expect(JSON.parse(text('data/domains.json'))).toMatchObject([{ host, codes: 1 }])
    expect(text('links.csv')).toContain(`//localhost:${tessera.config.port}${ours},`)
    for (const file of ['nginx-map.conf', 'Caddyfile', '_redirects']) {
      expect(text(file)).toContain(`${ours}`)
      for (const path of [`/menu-${count}`, `/${code.shortCode}`, `/qr/${code.shortCode}`]) {
        expect(text(`domains/${host}/${file}`)).toMatch(new RegExp(`[ "\n]${path}[ "]`))
      }
    }
    const csv = await (await ada.call('/api/qr-codes/export.csv')).text()
    expect(csv).toContain(`//${host}/qr/menu-${count}`)

    expect(await ada.ask<DomainList>('/api/domains')).toMatchObject({ domains: [{ codes: 1 }] })
    await ada.change(code.id, { domain: null })
    expect(await leads(ours)).toBe('https://example.com/dinner')
  })

  test('keeps the paths of an import as another service had them', async () => {
    ada = await newPerson(tessera, 'unlimited')
    await proven(ada)
    const paths = ['x', 'Menu', 'menu', 'Menu/2', 'LUNCH', 'qr/tea', 'v1.2', 'v1.']
    const rows = paths.map((path, at) => `https://example.com/${at},https://${host}/${path}`)
    const own = await ada.code()
    const others = ['a%20b', own.shortCode.toUpperCase()].map((path) => `https://${host}/${path}`)
    const unusable = [...others, 'bit.ly/x'].map((link) => `https://example.com/no,${link}`)
    const csv = ['long_url,bitlink', ...rows, ...unusable].join('\n')
    const first = await sendFile(ada, csv)
    expect(first).toMatchObject({ format: 'bitly', domain: null, lostPaths: 8 })
    const columns = { columns: first.columns.map(({ as }) => as), domain: host }
    const read = await ada.make<MadeImport>(`/api/imports/${first.id}/columns`, columns)
    expect(read).toMatchObject({ domain: host, lostPaths: 2, losses: 2 })
    expect((await publishFile(ada, read.id, { otherPaths: true })).status).toBe(202)
    const places = { x: 0, Menu: 1, menu: 2, 'Menu/2': 3, LUNCH: 4, tea: 5, 'v1.2': 6, 'v1.': 7 }
    for (const [path, at] of Object.entries(places)) {
      await expect.poll(() => leads(`/${path}`)).toBe(`https://example.com/${at}`)
      expect(await leads(`/qr/${path}`)).toBe(`https://example.com/${at}`)
    }
    const added = { '/v1.2.': 6, '//v1.': 7, '/Menu/2%20': 3, '/tea&utm_source=x': 5 }
    for (const [path, at] of Object.entries(added)) {
      expect([path, await leads(path)]).toEqual([path, `https://example.com/${at}`])
    }
    // Any other capitals: a name in small letters comes first, then one that differs in capitals alone.
    expect(await leads('/MENU')).toBe('https://example.com/2')
    expect(await leads('/menu/2')).toBe('https://example.com/3')
    expect(await leads('/lunch')).toBe('https://example.com/4')
    expect(await leads(`/${own.shortCode}`)).toBe(own.url)
    // A compact code prints its name in capitals.
    expect(await leads('/QR/MENU')).toBe('https://example.com/2')
    const lunch = { domain: host, vanityUrl: 'lunch' }
    await expectRefusal(ada.patch(own.id, lunch), 'custom_path_taken')

    const [code] = await ada.ask<QrCode[]>('/api/qr-codes?q=Menu/2')
    const { id = '', ...sent } = code as QrCode
    expect(sent).toMatchObject({ domain: host, vanityUrl: 'Menu/2' })
    const asked = encodeURIComponent(`https://${host}/Menu/2`)
    expect(await ada.ask(`/api/qr-codes?link=${asked}`)).toEqual([code])
    expect((await ada.patch(id, { ...sent, name: 'Second menu' })).status).toBe(200)
    const elsewhere = await refusal(await ada.patch(id, { domain: null }))
    expect(Object.keys(elsewhere.fields ?? {})).toEqual(['vanityUrl'])
    await ada.change(id, { domain: null, vanityUrl: `menu-2-${count}` })
    expect(await leads('/Menu/2')).toBe('https://example.com/3')

    // The same file again, and another account.
    expect(await sendFile(ada, csv, { domain: host })).toMatchObject({ lostPaths: 10 })
    const bob = await newPerson(tessera, 'professional')
    const foreign = await refusal(await postFile(bob, csv, { domain: host }))
    expect(foreign.fields).toEqual({ domain: 'You don’t have this domain' })
  })

  // The rest has statements that are alike on every engine.
  if (!oneEngineInCi.includes(engine)) return

  test('shows nothing but names: no page, no API, no cookie, and no codes of other accounts', async () => {
    const stranger = await newPerson(tessera)
    const foreign = await stranger.code()
    await proven(ada)
    await certified(true)
    for (const path of ['/', '/dashboard', '/api/config', '/api/login', `/${foreign.shortCode}`]) {
      const { status, body, cookies } = await ask(path)
      expect([path, status, cookies]).toEqual([path, 404, false])
      expect(body).toContain('Code not found')
    }
    for (const asked of [`${host}:`, `${host}.`, `${host.toUpperCase()}:443`]) {
      expect([asked, (await ask('/dashboard', asked)).status]).toEqual([asked, 404])
    }
    const posted = await ask('/api/auth/sign-in/email', host, 'POST')
    expect(posted).toMatchObject({ status: 405, isCommon: true })
    const robots = await ask('/robots.txt')
    expect(robots).toMatchObject({ status: 200, isCommon: true })
    expect(robots.body).toContain('User-agent')
    expect(await leads(`/qr/${foreign.shortCode}`, 'localhost')).toBe('https://example.com/menu')
  })

  test('leads from its root and from unknown names where its owner says', async () => {
    const { id } = await proven(ada)
    const body = { homeUrl: 'https://cafe-luna.com/menu' }
    await ada.amend(`/api/domains/${id}`, body)
    for (const path of ['/', '/nothing-here', '/a/b?c']) {
      await expect.poll(() => leads(path)).toBe(body.homeUrl)
    }
  })

  test('fails when a record is gone, leads on, and recovers', async () => {
    const code = await ada.code()
    const domain = await proven(ada)
    dns.names.delete(host)
    expect(await check(ada, domain)).toMatchObject({ state: 'failing', isProven: true })
    expect(await leads(`/${code.shortCode}`)).toBe('https://example.com/menu')
    // After an hour its owner gets one mail.
    for (const minutes of [59, 2, 60]) {
      tessera.clock.advance(minutes * MINUTE_MS)
      await check(ada, domain)
    }
    const subject = 'Your domain needs a DNS record again'
    expect(await mailTo(tessera, ada.email, subject)).toContain('hasn’t pointed here')
    const told = (await subjectsTo(tessera, ada.email)).filter((each) => each === subject)
    expect(told).toHaveLength(1)
    point()
    dns.names.delete(`_tessera.${host}`)
    expect(await check(ada, domain)).toMatchObject({ state: 'failing', isProven: true })
    prove([domain])
    expect(await check(ada, domain)).toMatchObject({ state: 'active' })
  })

  test('may have a custom path that another code has elsewhere, and none that is a short code', async () => {
    const name = `bar-${count}`
    const bob = await newPerson(tessera, 'professional')
    const taken = await bob.code({ vanityUrl: name, url: 'https://bob.example/' })
    await proven(ada)
    const [first, second] = [await ada.code({ domain: host, vanityUrl: name }), await ada.code()]
    expect(await leads(`/${name}`)).toBe(first.url)
    expect(await leads(`/qr/${name}`, 'localhost')).toBe(taken.url)
    for (const vanityUrl of [name, first.shortCode]) {
      await expectRefusal(ada.patch(second.id, { domain: host, vanityUrl }), 'custom_path_taken')
    }
    const asked = { name: 'Tea', url: second.url, domain: host, vanityUrl: second.shortCode }
    await expectRefusal(ada.post('/api/qr-codes', asked), 'custom_path_taken')
    for (const domain of ['qr.example.com', `other.${host}`]) {
      const refused = await refusal(await bob.patch(taken.id, { domain }))
      expect(Object.keys(refused.fields ?? {})).toEqual(['domain'])
    }
  })

  test('that is no longer there when its import is published refuses it', async () => {
    const { id } = await proven(ada)
    const csv = `url,link\nhttps://example.com/,https://${host}/Menu`
    const read = await sendFile(ada, csv, { domain: host })
    await ada.ask(`/api/domains/${id}`, { method: 'DELETE' })
    await expectRefusal(publishFile(ada, read.id), 'import_not_ready')
  })

  test('is added, checked, changed and removed by an agent', async () => {
    const owner = await newPerson(tessera, 'unlimited')
    const agent = await Agent.of(await newProgram(owner))
    const domain = await agent.ask<Domain>('add_domain', { host })
    const { id } = domain
    prove([domain])
    point()
    expect(await agent.ask('check_domain', { id })).toMatchObject({ state: 'active' })
    const chosen = await agent.ask('change_domain', { id, isDefault: true })
    expect(chosen).toMatchObject({ isDefault: true })
    const body = { name: 'Menu', url: 'https://example.com/menu' }
    expect(await agent.ask('make_code', body)).toMatchObject({ domain: host })
    await agent.call('remove_domain', { id })
    expect(await agent.ask('restore_domain', { id })).toMatchObject({ endsAt: null })
    const wanted = { limit: 10, domains: [{ id, codes: 1 }] }
    expect(await agent.ask('list_domains')).toMatchObject(wanted)
    expect(await agent.refusal('check_domain', { id: '..' })).toContain('(domain_not_found)')
  })

  test('is that of new codes if its owner says so', async () => {
    const { id } = await proven(ada)
    await ada.amend(`/api/domains/${id}`, { isDefault: true })
    expect(await ada.draft()).toMatchObject({ domain: host })
    const body = { name: 'Flyer', url: 'https://example.com/flyer' }
    expect(await ada.make('/api/qr-codes', body)).toMatchObject({ domain: host })
    await ada.ask(`/api/domains/${id}`, { method: 'DELETE' })
    expect(await ada.draft()).toMatchObject({ domain: null })
  })

  test('leads on for 30 days after its removal, which can be undone until then', async () => {
    const code = await ada.code()
    const { id } = await proven(ada)
    const remove = () => ada.ask(`/api/domains/${id}`, { method: 'DELETE' })
    await remove()
    const { domains } = await ada.ask<DomainList>('/api/domains')
    expect(domains).toMatchObject([{ state: 'removed', endsAt: expect.any(String) }])
    await jobsAfter(tessera, 29 * DAY_MS)
    expect(await leads(`/${code.shortCode}`)).toBe('https://example.com/menu')
    expect(await mayHaveCertificate(host)).toBe(true)
    await ada.make(`/api/domains/${id}/restore`)
    await remove()
    await jobsAfter(tessera, 31 * DAY_MS)
    await certified(false)
    expect(await ada.ask<DomainList>('/api/domains')).toMatchObject({ domains: [] })
    // The record of before proves nothing any more.
    expect(await add(ada)).toMatchObject({ isProven: false })
  })

  test('comes with a paid plan, and leads on after it', async () => {
    const code = await ada.code()
    await proven(ada)
    const claim = (person: Person, host: string) => person.post('/api/domains', { host })
    await expectRefusal(claim(ada, `another-${host}`), 'domains_full')
    await expectRefusal(claim(ada, `${host.toUpperCase()}.`), 'domain_exists')
    await subscribe(ada, 'professional', 'canceled')
    expect(await leads(`/${code.shortCode}`)).toBe('https://example.com/menu')
    await expectRefusal(claim(ada, `another-${host}`), 'domains_not_in_plan')
    const starter = await newPerson(tessera, 'starter')
    await expectRefusal(claim(starter, host), 'domains_not_in_plan')
  })

  test('is known to a proxy on this machine alone, unless it has the token', async () => {
    await proven(ada)
    await certified(true)
    const path = `/api/tls-ask?domain=${host}`
    expect((await ask(path, 'qr.example.com')).status).toBe(404)
    const forwarded = { 'x-forwarded-for': '203.0.113.7' }
    expect((await fetch(tessera.origin + path, { headers: forwarded })).status).toBe(404)
  })
})
