import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Schema } from '../../scripts/api-document/open-api.ts'
import type { Figures } from '../../src/contract/analytics/figures.ts'
import type { Share, ShareList } from '../../src/contract/analytics/shares.ts'
import { newCode, type QrCode } from '../../src/contract/codes/codes.ts'
import type { Tag } from '../../src/contract/codes/tags.ts'
import type { KeptStyle } from '../../src/contract/pictures/styles.ts'
import { PLAIN_ARTWORK } from '../../src/qr/artwork/artwork.ts'
import type { Legibility } from '../../src/qr/scan-check/verdict.ts'
import { memoryLimits, queues } from '../../src/server/http/limits/limits.ts'
import { Agent } from '../support/agent.ts'
import { BEHIND_PROXY } from '../support/crowd.ts'
import { decodePicture } from '../support/decode.ts'
import { enrolPerson, newPerson, type Person } from '../support/person.ts'
import { newProgram, type Program } from '../support/program.ts'
import { rawAnswer } from '../support/raw-bytes.ts'
import { seed, times } from '../support/soak.ts'
import { runTessera, tesseraForTest } from '../support/tessera.ts'

const MESSAGE = { accept: 'application/json, text/event-stream' }
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' }

/** Characters of all tools together: a model reads them at the start of each conversation. */
const LIST_MAX = 62_000

type Made = QrCode & { link: string }

describe('an agent', () => {
  const tessera = runTessera({ checks: true })
  const owner = enrolPerson(tessera, 'unlimited')
  let program: Program
  let agent: Agent

  beforeAll(async () => {
    program = await newProgram(owner)
    agent = await Agent.of(program)
  })

  const post = (from: Person, body: unknown, headers = {}) =>
    from.call('/api/mcp', { method: 'POST', body, headers: { ...MESSAGE, ...headers } })

  test('makes a code, changes it, draws it, checks it and reads its scans', async () => {
    const made = await agent.ask<Made>('make_code', {
      name: 'Menu',
      url: 'https://example.com/menu',
      tags: ['Tables'],
    })
    expect(made.link).toBe(`${tessera.config.publicUrl}/qr/${made.shortCode}`)
    const { id, version } = made
    const change = { id, version, url: 'https://example.com/new', foregroundColor: '#1e40af' }
    await agent.ask('change_code', change)
    expect(await agent.refusal('change_code', change)).toContain('(changed_elsewhere)')
    expect(await agent.ask('read_code', { id })).toMatchObject({
      url: 'https://example.com/new',
      foregroundColor: '#1e40af',
      tags: ['Tables'],
    })

    const {
      content: [picture],
    } = await agent.call('draw_code', { id, size: 256 })
    if (picture?.type !== 'image') throw new Error('no picture')
    expect(await decodePicture(Buffer.from(picture.data, 'base64'))).toBe(made.link)
    const {
      content: [drawing],
    } = await agent.call('draw_code', { id, format: 'svg' })
    expect(drawing).toMatchObject({
      resource: { mimeType: 'image/svg+xml', text: expect.stringContaining('#1e40af') },
    })

    const pale = { id, foregroundColor: '#fefefe', backgroundColor: '#ffffff' }
    expect((await agent.ask<Legibility>('check_legibility', { id })).verdict).toBe('excellent')
    expect((await agent.ask<Legibility>('check_legibility', pale)).verdict).toBe('unreadable')

    const redirect = await fetch(`${tessera.origin}/qr/${made.shortCode}`, {
      redirect: 'manual',
      headers: {
        'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604',
      },
    })
    expect(redirect.headers.get('location')).toBe('https://example.com/new')
    type Read = Figures & { lists: Record<string, { scans: number }> }
    const read = await agent.ask<Read>('read_analytics', { qr: id, lists: ['device'] })
    expect(read).toMatchObject({ scans: 1, lists: { device: { scans: 1 } } })
    expect(await agent.ask('rank_codes')).toMatchObject({ codes: [{ id, totalScans: 1 }] })
    expect(await agent.ask('rank_scans', { qr: id, range: '7d' })).toMatchObject({
      codes: [{ id, scans: 1 }],
      scans: 1,
    })
    expect(await agent.ask('read_totals')).toMatchObject({ totalQrCodes: 1, totalScans: 1 })
  })

  test.each(['bin', 'export.csv', 'labels', '.', '..', '../account', '%00', '\ud800', ''])(
    'an id such as %j is that of no code, and leads to no other call',
    async (id) => {
      for (const tool of ['read_code', 'draw_code', 'delete_code', 'restore_code']) {
        expect(await agent.refusal(tool, { id })).toBe('QR code not found (code_not_found)')
      }
    },
  )

  test('lists codes a part at a time, and brings one back from the bin', async () => {
    type List = { items: Made[]; nextCursor: string | null }
    const idempotencyKey = 'once'
    const input = { name: 'Poster', url: 'https://example.com/p', idempotencyKey }
    const made = await agent.ask<Made>('make_code', input)
    expect(await agent.ask('make_code', input)).toMatchObject({ id: made.id })
    const first = await agent.ask<List>('list_codes', { limit: 1, sort: 'name' })
    const cursor = first.nextCursor
    const second = await agent.ask<List>('list_codes', { limit: 1, sort: 'name', cursor })
    expect([first, second].map(({ items }) => items[0]?.name)).toEqual(['Menu', 'Poster'])
    expect(await agent.ask('list_tags')).toMatchObject({ tags: [{ name: 'Tables', codes: 1 }] })

    await agent.ask('delete_code', { id: made.id })
    expect(await agent.refusal('read_code', { id: made.id })).toContain('(code_not_found)')
    const bin = await agent.ask<List>('list_deleted_codes')
    expect(bin.items.map(({ id }) => id)).toEqual([made.id])
    await agent.ask('restore_code', { id: made.id })
    expect(await agent.ask('read_code', { id: made.id })).toMatchObject({ name: 'Poster' })
    const done = await tessera.database.db
      .selectFrom('audit_entries')
      .select(['event', 'device', 'address'])
      .where('subject', '=', made.id)
      .orderBy('at')
      .execute()
    expect(done.map(({ event }) => event)).toEqual(['code-made', 'code-deleted', 'code-restored'])
    for (const { device, address } of done) {
      expect([device, address]).toEqual(['API key “Robot”', '127.0.0.x'])
    }
  })

  test('gets the API’s words for a wrong call', async () => {
    const refusal = await agent.refusal('make_code', { name: '', url: 'no address', colour: 'red' })
    expect(refusal).toContain('(invalid_input)')
    expect(refusal).toContain('name: Name is required')
    expect(refusal).toContain('url: Must be a valid URL')
    expect(refusal).toContain('colour: Unknown field: colour')
    const taken = { vanityUrl: 'summer', url: 'https://example.com' }
    await agent.ask('make_code', { name: 'One', ...taken })
    expect(await agent.refusal('make_code', { name: 'Two', ...taken })).toContain(
      'This custom URL is already taken. Please choose another one. (custom_path_taken)',
    )
    await expect(agent.call('empty_account')).rejects.toThrow('There is no tool empty_account')
  })

  test('takes and reads colors in capitals', async () => {
    const capitals = { foregroundColor: '#1E40AF', backgroundColor: '#FFFFFF' }
    const artwork = { eyeBallColor: '#ABC', gradient: { kind: 'radial', to: '#0B6655' } }
    const code = { name: 'Blue', url: 'https://example.com', ...capitals, artwork }
    const { id } = await agent.ask<Made>('make_code', code)
    const read = await agent.ask<Made>('read_code', { id })
    expect(read).toMatchObject({ ...capitals, artwork })
    await agent.ask('change_code', { id, foregroundColor: '#0B6655' })
    const { look } = await agent.ask<KeptStyle>('save_design', { name: 'Blue', look: capitals })
    expect(look).toMatchObject(capitals)
    const { tools } = await agent.client.listTools()
    for (const pattern of JSON.stringify(tools).match(/"pattern":"\^#[^"]+"/g) ?? []) {
      expect(JSON.parse(`{${pattern}}`).pattern).toMatch(/A-F/)
    }
  })

  test('makes many codes by one call, or none', async () => {
    const row = (name: string) => ({ name, url: `https://example.com/${name}` })
    const input = { rows: [row('A'), row('B')], tags: ['Row'], idempotencyKey: 'many' }
    type Codes = { codes: Made[] }
    const { codes } = await agent.ask<Codes>('make_codes', input)
    expect(codes.map(({ name }) => name)).toEqual(['A', 'B'])
    expect(codes[0]?.link).toContain(`${tessera.config.publicUrl}/qr/`)
    expect(await agent.ask('make_codes', input)).toEqual({ codes })
    const wrong = { rows: [row('C'), { name: 'D', url: 'none', colour: 'red' }], look: { fg: 1 } }
    const refusal = await agent.refusal('make_codes', wrong)
    expect(refusal).toContain('rows.1.url: Must be a valid URL')
    expect(refusal).toContain('rows.1.colour: Unknown field')
    expect(refusal).toContain('look.fg: Unknown field')
    const made = await agent.ask<{ items: Made[] }>('list_codes', { tag: 'Row' })
    expect(made.items.map(({ name }) => name).sort()).toEqual(['A', 'B'])
  })

  test('finds a code by its link, its path or its own id', async () => {
    const paths = { vanityUrl: 'window', externalId: 'W-1' }
    const code = { name: 'Window', url: 'https://example.com', ...paths }
    const { id, link, shortCode } = await agent.ask<Made>('make_code', code)
    const ways = [{ link }, { link: shortCode }, { link: 'window' }, { externalId: 'W-1' }]
    for (const way of ways) {
      expect(await agent.ask('find_code', way)).toMatchObject({ id, link, ...paths })
    }
    expect(await agent.refusal('find_code', { link: 'door' })).toContain('(code_not_found)')
    expect(await agent.refusal('find_code')).toContain('Send either link or externalId')
  })

  test('changes and deletes many codes after it has learned how many', async () => {
    const { id } = await owner.code({ tags: ['Fair'], artwork: { ...PLAIN_ARTWORK, margin: 6 } })
    await owner.code({ tags: ['Fair'] })
    const change = { isActive: false, artwork: { transparent: true } }
    const asked = { tag: 'Fair', change }
    const dry = await agent.ask('change_codes', { ...asked, dryRun: true })
    expect(dry).toEqual({ codes: 2, dryRun: true })
    expect(await agent.ask('read_code', { id })).toMatchObject({ isActive: true })
    expect(await agent.ask('change_codes', asked)).toEqual({ codes: 2, dryRun: false })
    const artwork = { margin: 6, transparent: true }
    expect(await agent.ask('read_code', { id })).toMatchObject({ isActive: false, artwork })
    const both = { ids: [id], tag: 'Fair' }
    expect(await agent.refusal('delete_codes', both)).toContain('ids: Send either ids or tag')
    expect(await agent.ask('delete_codes', { ids: [id] })).toEqual({ codes: 1, dryRun: false })
    expect(await agent.ask('list_codes', { tag: 'Fair' })).toMatchObject({ items: [{}] })
  })

  test('makes, changes and deletes tags', async () => {
    const { id: code } = await owner.code({ name: 'Tagged' })
    const { id } = await agent.ask<Tag>('make_tag', { name: 'Spring', colour: 'green' })
    expect(await agent.refusal('make_tag', { name: 'spring' })).toContain('(tag_name_taken)')
    await agent.ask('change_code', { id: code, tags: ['SPRING'] })
    const changed = await agent.ask<Tag>('change_tag', { id, name: 'Summer', colour: 'red' })
    expect(changed).toMatchObject({ name: 'Summer', colour: 'red', codes: 1 })
    expect(await agent.ask('read_code', { id: code })).toMatchObject({ tags: ['Summer'] })
    await agent.call('delete_tag', { id })
    expect(await agent.ask('read_code', { id: code })).toMatchObject({ tags: [] })
    expect(await agent.refusal('change_tag', { id })).toContain('(not_found)')
  })

  test('saves, lists and deletes designs', async () => {
    const wanted = { name: 'House', look: { style: 'rounded', ecc: 'H' } }
    const saved = await agent.ask<KeptStyle>('save_design', wanted)
    expect(saved).toMatchObject({ ...wanted, isDefault: false })
    const list = await agent.ask<{ designs: KeptStyle[] }>('list_designs')
    expect(list.designs).toContainEqual(saved)
    await agent.call('delete_design', { id: saved.id })
    expect((await agent.ask<typeof list>('list_designs')).designs).not.toContainEqual(saved)
  })

  test('shares a code’s analytics by a link and stops it', async () => {
    const { id: qr } = await owner.code()
    const made = await agent.ask<Share>('make_share_link', { qr, days: 7, note: 'Agency' })
    const page = await fetch(`${tessera.origin}${new URL(made.link ?? '').pathname}`)
    expect(page.status).toBe(200)
    const list = await agent.ask<ShareList>('list_share_links', { qr })
    expect(list.shares.map(({ id, note }) => [id, note])).toEqual([[made.id, 'Agency']])
    await agent.call('stop_share_link', { id: made.id })
    expect(await agent.ask('list_share_links', { qr })).toMatchObject({ shares: [] })
  })

  test('hears that a code it restores is not deleted', async () => {
    const { id } = await owner.code()
    expect(await agent.refusal('restore_code', { id })).toBe(
      'This QR code isn’t deleted, so nothing was restored. (bad_request)',
    )
  })

  test('learns what each tool does to the account from its hints', async () => {
    const { tools } = await agent.client.listTools()
    type Hint = 'readOnlyHint' | 'destructiveHint' | 'idempotentHint' | 'openWorldHint'
    const having = (hint: Hint, value = true) => {
      const found = tools.filter(({ annotations }) => annotations?.[hint] === value)
      return found.map(({ name }) => name).sort()
    }
    expect(having('readOnlyHint').join(' ')).toBe(
      'check_legibility draw_code find_code list_codes list_deleted_codes list_designs ' +
        'list_domains list_share_links list_tags rank_codes rank_scans read_analytics read_code read_totals',
    )
    expect(having('destructiveHint').join(' ')).toBe(
      'change_code change_codes change_domain change_tag delete_code delete_codes delete_design ' +
        'delete_tag remove_domain stop_share_link',
    )
    expect(having('idempotentHint', false).join(' ')).toBe(
      'add_domain make_code make_codes make_share_link make_tag save_design',
    )
    expect(having('openWorldHint')).toEqual(['add_domain', 'check_domain'])
  })

  test('reads a list of tools that is short and tells all fields of a code', async () => {
    const list = await agent.client.listTools()
    expect(JSON.stringify(list).length).toBeLessThanOrEqual(LIST_MAX)
    const make = list.tools.find(({ name }) => name === 'make_code')
    const change = list.tools.find(({ name }) => name === 'change_code')
    expect(Object.keys(change?.inputSchema.properties ?? {})).toEqual(
      expect.arrayContaining(Object.keys(newCode.shape)),
    )
    expect(JSON.stringify(make)).toContain('"eyeBallColor"')
    for (const { name, inputSchema } of list.tools) {
      const fields = Object.entries(inputSchema.properties ?? {}) as [string, Schema][]
      const untold = fields.filter(([, { description }]) => !description).map(([field]) => field)
      expect([name, untold]).toEqual([name, []])
      expect(JSON.stringify(inputSchema)).not.toContain('As in m')
    }
  })

  test('sees only tools that read if its key only reads, and hears why the others refuse', async () => {
    const reader = await Agent.of(await newProgram(owner, { scope: 'read' }))
    const all = (await agent.client.listTools()).tools
    const reading = all.filter(({ annotations }) => annotations?.readOnlyHint)
    expect(await reader.tools()).toEqual(reading.map(({ name }) => name))
    for (const tool of ['make_code', 'delete_tag']) {
      const refusal = await reader.refusal(tool)
      expect(refusal).toContain('can only read. To make changes, create a key')
      expect(refusal).toContain('(key_read_only)')
    }
  })

  test('finds nothing of another account', async () => {
    const other = await newPerson(tessera, 'unlimited')
    const { id, shortCode } = await other.code({ tags: ['Theirs'] })
    const stranger = await Agent.of(await newProgram(other))
    const { tags } = await stranger.ask<{ tags: Tag[] }>('list_tags')
    const design = await stranger.ask<KeptStyle>('save_design', { name: 'Theirs', look: {} })
    const link = await stranger.ask<Share>('make_share_link', { qr: id })
    for (const [tool, input] of [
      ['change_tag', { id: tags[0]?.id, name: 'Mine' }],
      ['delete_tag', { id: tags[0]?.id }],
      ['delete_design', { id: design.id }],
    ] as const) {
      expect([tool, await agent.refusal(tool, input)]).toEqual([tool, 'Not found (not_found)'])
    }
    const stopped = await agent.refusal('stop_share_link', { id: link.id })
    expect(stopped).toContain('(share_not_found)')
    for (const [tool, input] of [
      ['read_code', { id }],
      ['change_code', { id, name: 'Mine' }],
      ['delete_code', { id }],
      ['restore_code', { id }],
      ['draw_code', { id }],
      ['check_legibility', { id }],
      ['read_analytics', { qr: id }],
      ['list_share_links', { qr: id }],
      ['make_share_link', { qr: id }],
      ['find_code', { link: shortCode }],
      ['change_codes', { ids: [id], change: { name: 'Mine' } }],
      ['delete_codes', { ids: [id] }],
    ] as const) {
      expect([tool, await agent.refusal(tool, input)]).toEqual([
        ...[tool, expect.stringContaining('(code_not_found)')],
      ])
    }
  })

  test('is asked for a key, which a cookie is not', async () => {
    const response = await post(owner, PING)
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringMatching(/^Bearer resource_metadata=/),
    ])
  })

  test('is counted once a message, and learns how many calls are left', async () => {
    const alone = await newProgram(owner)
    const left = async (body: object) =>
      Number(/r=(\d+)/.exec((await post(alone, body)).headers.get('ratelimit') ?? '')?.[1])
    expect(await left(PING)).toBe(memoryLimits['key-calls'].max - 1)
    const params = { name: 'read_analytics', arguments: {} }
    const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params }
    expect(await left(call)).toBe(memoryLimits['key-calls'].max - 2)
    expect(await left(PING)).toBe(memoryLimits['key-calls'].max - 3)
  })

  test('asks with one message a request, by POST', async () => {
    expect((await post(program, [PING, PING])).status).toBe(400)
    expect((await post(program, { hello: 'world' })).status).toBe(400)
    expect((await post(program, { ...PING, params: { text: 'x'.repeat(66_000) } })).status).toBe(
      413,
    )
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' }
    expect((await post(program, notification)).status).toBe(202)
    for (const method of ['GET', 'DELETE', 'OPTIONS']) {
      const response = await program.call('/api/mcp', { method, headers: MESSAGE })
      const status = method === 'OPTIONS' ? 204 : 405
      expect([response.status, response.headers.get('allow')]).toEqual([status, 'POST'])
    }
    const put = await program.call('/api/qr-codes/1', { method: 'PUT', body: {} })
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'DELETE, GET, HEAD, PATCH'])
    for (const path of ['protected-resource', 'authorization-server']) {
      const address = `${tessera.origin}/.well-known/oauth-${path}`
      const asked = [await fetch(address, { method: 'OPTIONS' }), await fetch(address)]
      expect(asked.map(({ status }) => status)).toEqual([204, 200])
      for (const { headers } of asked) expect(headers.get('access-control-allow-origin')).toBe('*')
    }
  })

  test('any input of any tool gets an answer or a refusal', async () => {
    const other = await newPerson(tessera, 'unlimited')
    const caller = await newProgram(other)
    const { id } = await other.code()
    const { tools } = await agent.client.listTools()
    const fields = [
      ...new Set(tools.flatMap((tool) => Object.keys(tool.inputSchema.properties ?? {}))),
    ]
    const value = fc.oneof(
      fc.constantFrom<unknown>(
        id,
        '',
        '../x',
        '\0',
        '\ud800',
        'free',
        -1,
        1e300,
        '2026-02-30',
        null,
      ),
      fc.jsonValue(),
    )
    const call = fc.tuple(
      fc.constantFrom(...tools.map(({ name }) => name)),
      fc.dictionary(fc.constantFrom(...fields, '__proto__'), value, { maxKeys: 5 }),
    )
    await fc.assert(
      fc.asyncProperty(call, async ([name, input]) => {
        const params = { name, arguments: input }
        const response = await post(caller, { ...PING, method: 'tools/call', params })
        const body = await response.text()
        // -32603 is a fault of ours.
        expect([name, input, response.status < 500, body.includes('-32603')]).toEqual([
          ...[name, input, true, false],
        ])
      }),
      // Fewer than an account may make in a minute: the rest would be refused.
      { seed, numRuns: times(50, 1_000) },
    )
  })

  test('more calls at once than an address may have under way are all answered', async () => {
    const calls = Array.from({ length: 2 * queues.site.atOnceEach }, () => agent.ask('list_codes'))
    expect(await Promise.all(calls)).toHaveLength(calls.length)
  })

  test('a page whose name leads to this server reaches no tool', async () => {
    const body = JSON.stringify(PING)
    const answer = (host: string, origin: string) => {
      const head = [
        ...['POST /api/mcp HTTP/1.1', `Host: ${host}`, `Authorization: Bearer ${program.key}`],
        ...[`Accept: ${MESSAGE.accept}`, 'Content-Type: application/json', 'Connection: close'],
        ...[`Content-Length: ${body.length}`, ...(origin ? [`Origin: ${origin}`] : [])],
      ]
      return rawAnswer(tessera.origin, `${head.join('\r\n')}\r\n\r\n${body}`)
    }
    const { host } = new URL(tessera.origin)
    expect(await answer(host, '')).toContain('200 OK')
    expect(await answer(host, tessera.origin)).toContain('200 OK')
    expect(await answer('evil.example.com', '')).toContain('403 Forbidden')
    const evil = 'evil.example.com:80'
    expect(await answer(evil, `http://${evil}`)).toContain('403 Forbidden')
    expect(await answer(host, 'https://evil.example.com')).toContain('403 Forbidden')
  })
})

test('what an agent does behind a proxy is written down with its own address', async () => {
  const tessera = await tesseraForTest({ environment: BEHIND_PROXY })
  const program = await newProgram(await newPerson(tessera, 'unlimited'))
  const code = { name: 'Menu', url: 'https://example.com' }
  const response = await program.call('/api/mcp', {
    method: 'POST',
    headers: { ...MESSAGE, 'x-forwarded-for': '203.0.113.7' },
    body: { ...PING, method: 'tools/call', params: { name: 'make_code', arguments: code } },
  })
  expect(response.status).toBe(200)
  const entries = tessera.database.db.selectFrom('audit_entries').select('address')
  const made = await entries.where('event', '=', 'code-made').executeTakeFirst()
  expect(made).toEqual({ address: '203.0.113.x' })
})
