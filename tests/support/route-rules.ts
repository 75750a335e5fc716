import { randomUUID } from 'node:crypto'
import { fromSomewhere } from './crowd.ts'
import type { Person } from './person.ts'

/*
 * The routes of the server: who may call each, with which API key, and the status it returns.
 * isolation.test.ts calls each as every kind of caller; a route that is not here fails it.
 */

/** The kind of thing that a path's `:id`, or the query's `v`, names. */
export type Thing =
  | 'code'
  | 'binned code'
  | 'look'
  | 'tag'
  | 'logo'
  | 'session'
  | 'passkey'
  | 'API key'
  | 'app'
  | 'picture'
  | 'payment page'
  | 'share'
  | 'webhook'
  | 'delivery'
  | 'import'
  | 'domain'
  | 'invitation'

type Call = {
  /** JSON, or what makes it for each call */
  body?: object | (() => object)
  file?: 'image/png' | 'text/csv'
  path?: string
  /** Its answer does not end by itself. */
  stream?: true
  /** The scope that an API key needs here. A route without one takes no key. */
  key?: 'read' | 'write'
  /** The status for an account that is being deleted, if it differs */
  leaving?: number
}

export type Rule = Call &
  (
    | { for: 'everyone'; status: number }
    /** Visitors and accounts get answers of their own. */
    | { for: 'visitors and accounts'; out: number; in: number }
    | { for: 'accounts'; status: number }
    /** An account gets its own. Another account's, and one that does not exist, are the same 404. */
    | { for: 'owners'; of: Thing; status: number; code: string }
  )

const everyone = (status: number, call: Call = {}): Rule => ({ for: 'everyone', status, ...call })
const accounts = (status: number, call: Call = {}): Rule => ({ for: 'accounts', status, ...call })
const differ = (out: number, inside: number, call: Call = {}): Rule => ({
  for: 'visitors and accounts',
  out,
  in: inside,
  ...call,
})
const owners =
  (of: Thing, code: string) =>
  (status: number, call: Call = {}): Rule => ({ for: 'owners', of, code, status, ...call })

const READ = { key: 'read' } as const
const WRITE = { key: 'write' } as const
/** An account that is being deleted has no payment pages any more. */
const ENDS = { leaving: 404 }

const code = owners('code', 'code_not_found')
const look = owners('look', 'not_found')
const tag = owners('tag', 'not_found')
const logo = owners('logo', 'not_found')
const webhook = owners('webhook', 'not_found')
const domain = owners('domain', 'domain_not_found')
const delivery = owners('delivery', 'not_found')
const anImport = owners('import', 'not_found')
const invited = owners('invitation', 'not_found')
const payment = owners('payment page', 'checkout_not_found')

const token = { body: { token: 'x'.repeat(43) } }
/** Another address each time: one is mailed only a few times. */
const mail = { body: () => ({ email: `${randomUUID()}@example.com` }) }
const credential = {
  id: 'eA',
  rawId: 'eA',
  type: 'public-key',
  clientExtensionResults: {},
}
const attestation = { ...credential, response: { clientDataJSON: 'eA', attestationObject: 'eA' } }
const assertion = {
  ...credential,
  response: { clientDataJSON: 'eA', authenticatorData: 'eA', signature: 'eA' },
}

const place = { line1: '12 Elm Street', line2: null, city: 'Springfield', state: 'IL' }
const BILLING_ADDRESS = {
  name: 'Ada Lovelace',
  address: { ...place, postal_code: '62701', country: 'US' },
}
const LOOK = { style: 'rounded', foregroundColor: '#1e40af' }

const MISSING_ID = '00000000-0000-4000-8000-000000000000'

export const routeRules: Record<string, Rule> = {
  // Pages and files
  'GET /': differ(200, 200),
  'GET /dashboard': everyone(200),
  'GET /profile': everyone(200),
  'GET /subscription': everyone(200),
  'GET /connect': everyone(200),
  'GET /*': everyone(404, { path: '/nothing-here' }),
  'GET /fonts/figtree.woff2': everyone(302),
  'GET /fonts/bricolage-grotesque.woff2': everyone(302),
  'GET /robots.txt': everyone(200),
  'GET /llms.txt': everyone(200),
  'GET /sitemap.xml': everyone(200),
  'GET /pictures/printed-menu.svg': everyone(200),
  'GET /pictures/printed-poster.svg': everyone(200),
  'GET /pictures/printed-packaging.svg': everyone(200),
  'GET /api/help': everyone(200),
  'GET /api/status': everyone(200),
  'GET /api/docs': everyone(200),
  'GET /api/openapi.json': everyone(200),
  'GET /api/integrations': everyone(200),
  'GET /api/about': everyone(200),
  'GET /api/checks': everyone(200),
  'GET /api/contact': everyone(200),
  'GET /api/privacy': everyone(200),
  'GET /api/terms': everyone(200),
  // The live demo is made by then, and leads to the start page.
  'POST /api/demo': everyone(303),

  // Operators
  'GET /healthz': everyone(200),
  'GET /readyz': everyone(200),
  // It needs the operator's token, and is not there without it.
  'GET /metrics': everyone(404),
  'GET /api/config': everyone(200),

  // Signing in and out
  'GET /api/login': differ(200, 302),
  'GET /api/logout': differ(302, 302),
  'GET /api/auth/user': accounts(200),
  'POST /api/auth/sign-out': everyone(200),
  'POST /api/auth/sign-up/email': everyone(422, { body: {} }),
  'POST /api/auth/sign-in/email': everyone(401, {
    body: { email: 'missing@example.com', password: 'wrong horse battery' },
  }),
  'POST /api/auth/sign-in/second-factor': everyone(403, { body: { code: '123456' } }),
  // This server has no mail server.
  'POST /api/auth/sign-in/link': everyone(503, mail),
  'POST /api/auth/sign-in/link/use': everyone(410, token),
  'POST /api/auth/sign-in/passkey': everyone(401, { body: { response: assertion } }),
  'POST /api/auth/passkey/options': differ(200, 200),
  'POST /api/auth/forgot-password': everyone(202, mail),
  'POST /api/auth/reset-password': everyone(410, {
    body: { ...token.body, password: 'a much better one' },
  }),
  'POST /api/auth/verify-email': everyone(410, token),
  'POST /api/auth/verify-email/send': everyone(202, mail),
  'POST /api/auth/change-email/approve': everyone(410, token),
  'POST /api/auth/change-email/prove': everyone(410, token),
  'POST /api/auth/change-email/undo': everyone(410, token),

  'GET /api/auth/provider': everyone(503),
  'GET /api/auth/provider/callback': everyone(400),
  'GET /api/unsubscribe': everyone(404, { path: '/api/unsubscribe?token=x' }),
  'POST /api/unsubscribe': everyone(404, { path: '/api/unsubscribe?token=x' }),

  // The account
  'GET /api/account': accounts(200),
  'PATCH /api/account': accounts(200, { body: { firstName: 'Augusta' } }),
  'GET /api/account/history': accounts(200),
  'GET /api/account/picture': owners('picture', 'not_found')(200),
  'PUT /api/account/picture': accounts(422, { file: 'image/png' }),
  'DELETE /api/account/picture': accounts(204),
  'POST /api/account/password': accounts(204, { body: { password: 'a much better one' } }),
  'POST /api/account/email': accounts(202, mail),
  'DELETE /api/account/email': accounts(204),
  'GET /api/account/sessions': accounts(200),
  'DELETE /api/account/sessions': accounts(204),
  'DELETE /api/account/sessions/:id': owners('session', 'not_found')(204),
  'POST /api/account/second-factor': accounts(200, { body: {} }),
  'POST /api/account/second-factor/confirm': accounts(409, { body: { code: '123456' } }),
  'POST /api/account/second-factor/off': accounts(204, { body: {} }),
  'POST /api/account/recovery-codes': accounts(409, { body: {} }),
  'POST /api/account/passkeys/options': accounts(200, { body: {} }),
  'POST /api/account/passkeys': accounts(422, { body: { response: attestation } }),
  'GET /api/account/keys': accounts(200),
  'POST /api/account/keys': accounts(403, { body: { name: 'Robot', scope: 'read', days: null } }),
  'DELETE /api/account/keys/:id': owners('API key', 'not_found')(204),
  'POST /api/account/keys/:id/resume': owners('API key', 'not_found')(204, { body: {} }),
  'DELETE /api/account/passkeys/:id': owners('passkey', 'not_found')(204),
  'POST /api/account/provider/link': accounts(503, { body: {} }),
  'DELETE /api/account/provider': accounts(204, { body: {} }),
  'GET /api/account/export': accounts(200, READ),
  'GET /api/account/me': accounts(200, READ),
  'POST /api/account/deletion': accounts(202, { body: {} }),
  'DELETE /api/account/deletion': accounts(204),
  // Their own workspace goes with their account.
  'POST /api/workspace/deletion': accounts(409, { body: {} }),
  'DELETE /api/workspace/deletion': accounts(204, { leaving: 409 }),

  // Codes
  'GET /api/qr-codes': accounts(200, READ),
  'GET /api/qr-codes/bin': accounts(200, READ),
  'POST /api/qr-codes': accounts(201, {
    key: 'write',
    body: { name: 'Menu', url: 'https://example.com' },
  }),
  'POST /api/qr-codes/draft': accounts(201, WRITE),
  'POST /api/qr-codes/bulk': accounts(201, {
    key: 'write',
    body: { rows: [{ name: 'Table 1', url: 'https://example.com/1' }] },
  }),
  'PUT /api/qr-codes/external/:externalId': accounts(201, {
    key: 'write',
    path: '/api/qr-codes/external/table-1',
    body: { name: 'Table 1', url: 'https://example.com/1' },
  }),
  // A code that is not one's own is a missing one: programs.test.ts.
  'POST /api/qr-codes/bulk/change': accounts(404, {
    key: 'write',
    body: { ids: [MISSING_ID], change: {} },
  }),
  'POST /api/qr-codes/bulk/delete': accounts(404, { key: 'write', body: { ids: [MISSING_ID] } }),
  // A code that is not one's own is a missing one: series.test.ts.
  'POST /api/qr-codes/labels': accounts(404, { key: 'read', body: { ids: [MISSING_ID] } }),
  'POST /api/qr-codes/pictures': accounts(404, { key: 'read', body: { ids: [MISSING_ID] } }),
  'GET /api/qr-codes/export.csv': accounts(200, READ),
  // A code that is not one's own is left out: code-table.test.ts.
  'POST /api/qr-codes/export.csv': accounts(200, { key: 'read', body: { ids: [MISSING_ID] } }),
  'GET /api/qr-codes/:id': code(200, READ),
  'PATCH /api/qr-codes/:id': code(200, { key: 'write', body: { name: 'Mine now' } }),
  'DELETE /api/qr-codes/:id': code(204, WRITE),
  'POST /api/qr-codes/:id/restore': owners('binned code', 'code_not_found')(200, WRITE),
  'GET /api/qr-codes/:id/history': code(200, READ),
  // A state of a code that is not one's own is missing with its code.
  'POST /api/qr-codes/:id/history/:stateId/restore': code(404, WRITE),
  'POST /api/qr-codes/:id/try': code(200, { key: 'read', body: {} }),
  'POST /api/qr-codes/:id/revive': code(403, WRITE),
  'GET /api/qr-codes/:id/generate': code(200, READ),
  'GET /api/qr-codes/:id/download-zip': code(200, READ),
  'GET /api/qr-codes/:id/legibility': code(503, READ),

  'GET /api/qr-codes/:id/print-proofs': code(200, READ),
  'POST /api/qr-codes/:id/print-proofs': code(201, {
    key: 'write',
    body: { found: 'other-address' },
  }),

  'GET /api/logos': accounts(200, READ),
  'POST /api/logos': accounts(403, { key: 'write', file: 'image/png' }),
  'GET /api/logos/:id': logo(200, READ),
  'DELETE /api/logos/:id': logo(204, WRITE),
  'GET /api/looks': accounts(200, READ),
  'POST /api/looks': accounts(201, { key: 'write', body: { name: 'Brand', look: LOOK } }),
  'PATCH /api/looks/:id': look(200, { key: 'write', body: { name: 'Mine now' } }),
  'DELETE /api/looks/:id': look(204, WRITE),
  // A code that is not one's own is a missing one: styles.test.ts.
  'POST /api/looks/:id/apply': look(404, { key: 'write', body: { ids: [MISSING_ID] } }),
  'GET /api/tags': accounts(200, READ),
  'POST /api/tags': accounts(201, {
    key: 'write',
    body: () => ({ name: randomUUID().slice(0, 8) }),
  }),
  'PATCH /api/tags/:id': tag(200, { key: 'write', body: { colour: 'blue' } }),
  'DELETE /api/tags/:id': tag(204, WRITE),
  // A code that is not one's own is a missing one: tags.test.ts.
  'POST /api/tags/:id/codes': tag(404, { key: 'write', body: { add: [MISSING_ID] } }),

  // Files of codes: those that ask here have read one and made nothing of it
  'GET /api/imports/template.csv': accounts(200, READ),
  'GET /api/imports': accounts(200, READ),
  'POST /api/imports': accounts(422, { key: 'write', file: 'text/csv' }),
  'GET /api/imports/:id': anImport(200, READ),
  'GET /api/imports/:id/rows': anImport(200, READ),
  'GET /api/imports/:id/rows.csv': anImport(200, READ),
  'PATCH /api/imports/:id/rows/:row': anImport(200, {
    key: 'write',
    path: '/api/imports/:id/rows/2',
    body: { name: 'Mine now' },
  }),
  'POST /api/imports/:id/columns': anImport(201, {
    key: 'write',
    body: { columns: ['name', 'url'] },
  }),
  'POST /api/imports/:id/publish': anImport(409, { key: 'write', body: {} }),
  'DELETE /api/imports/:id': anImport(204, WRITE),
  'GET /api/imports/:id/pictures.zip': anImport(409, READ),

  // Scans of codes
  'GET /api/analytics/user': accounts(200, READ),
  'GET /api/analytics/daily-breakdown': accounts(200, READ),
  'GET /api/analytics/qr-codes': accounts(200, READ),
  'GET /api/analytics/ranking': accounts(200, READ),
  'GET /api/analytics/now': accounts(200, READ),
  'GET /api/analytics/stream': accounts(200, { stream: true }),
  'GET /api/analytics/mails': accounts(200),
  'PUT /api/analytics/mails': accounts(200, { body: { every: 'off', timeZone: 'UTC' } }),
  'GET /api/analytics/qr-code/:id': code(200, READ),
  'GET /api/analytics/qr-code/:id/latest': code(200, {
    key: 'read',
    path: '/api/analytics/qr-code/:id/latest?after=2026-11-23T00:00:00Z',
  }),

  'GET /api/analytics/figures': code(200, { key: 'read', path: '/api/analytics/figures?qr=:id' }),
  'GET /api/analytics/breakdown': code(200, {
    key: 'read',
    path: '/api/analytics/breakdown?facet=country&qr=:id',
  }),
  'GET /api/analytics/heatmap': code(200, { key: 'read', path: '/api/analytics/heatmap?qr=:id' }),
  'GET /api/analytics/classes': code(200, { key: 'read', path: '/api/analytics/classes?qr=:id' }),
  'GET /api/analytics/scans': code(200, { key: 'read', path: '/api/analytics/scans?qr=:id' }),
  'GET /api/analytics/scans.csv': code(200, {
    key: 'read',
    path: '/api/analytics/scans.csv?qr=:id',
  }),
  'GET /api/analytics/scans.json': code(200, {
    key: 'read',
    path: '/api/analytics/scans.json?qr=:id',
  }),

  // Pages that are shared by a link: isolation.test.ts asks them with one, too
  'GET /api/analytics/shares': code(200, { key: 'read', path: '/api/analytics/shares?qr=:id' }),
  'POST /api/analytics/shares': code(403, {
    key: 'write',
    path: '/api/analytics/shares?qr=:id',
    body: {},
  }),
  'DELETE /api/analytics/shares/:id': owners('share', 'share_not_found')(204, WRITE),
  'POST /api/analytics/shares/:id/resume': owners('share', 'share_not_found')(204),
  'GET /s/:token': everyone(404),
  'GET /api/share/:token': everyone(404),
  'GET /api/share/:token/code': everyone(404),
  'GET /api/share/:token/figures': everyone(404),
  'GET /api/share/:token/breakdown': everyone(404),
  'GET /api/share/:token/heatmap': everyone(404),
  'GET /api/share/:token/classes': everyone(404),
  'GET /api/share/:token/now': everyone(404),

  // Webhooks: the accounts that ask here have no plan that has them, and may still look and remove
  'GET /api/webhooks': accounts(200, READ),
  'POST /api/webhooks': accounts(403, {
    key: 'write',
    body: { url: 'https://example.com/hook', types: ['code.created'] },
  }),
  'PATCH /api/webhooks/:id': webhook(200, { key: 'write', body: { isOn: false } }),
  'DELETE /api/webhooks/:id': webhook(204, WRITE),
  'GET /api/webhooks/:id/secret': webhook(200, WRITE),
  'POST /api/webhooks/:id/secret': webhook(403, WRITE),
  'POST /api/webhooks/:id/test': webhook(403, WRITE),
  'GET /api/webhooks/:id/deliveries': webhook(200, READ),
  'GET /api/webhooks/deliveries/:id': delivery(200, READ),
  'POST /api/webhooks/deliveries/:id/resend': delivery(403, WRITE),

  // Domains: the accounts that ask here have no plan that has them, and may still look and remove
  'GET /api/domains': accounts(200, READ),
  'POST /api/domains': accounts(403, { key: 'write', body: { host: 'qr.example.com' } }),
  'POST /api/domains/:id/check': domain(200, WRITE),
  'PATCH /api/domains/:id': domain(200, {
    key: 'write',
    body: { homeUrl: 'https://example.com/' },
  }),
  'POST /api/domains/:id/restore': domain(200, WRITE),
  'DELETE /api/domains/:id': domain(204, WRITE),
  // A proxy asks, and only for hosts that are proven.
  'GET /api/tls-ask': everyone(404, { path: '/api/tls-ask?domain=qr.example.com' }),

  // Apps ask to be connected: a person answers in the browser that the app opened.
  'GET /.well-known/oauth-protected-resource': everyone(200),
  'GET /.well-known/oauth-protected-resource/api/mcp': everyone(200),
  'GET /.well-known/oauth-authorization-server': everyone(200),
  'POST /oauth/register': everyone(400, { body: {} }),
  'GET /oauth/authorize': everyone(400),
  'GET /oauth/authorize/:uid': everyone(400),
  'POST /oauth/token': everyone(400),
  'POST /oauth/revoke': everyone(400),
  'GET /api/connect/:uid': everyone(303),
  'GET /api/connect/:uid/request': accounts(404),
  'POST /api/connect/:uid': accounts(404, { body: { scope: 'read' } }),
  'GET /api/account/apps': accounts(200),
  'DELETE /api/account/apps/:id': owners('app', 'not_found')(204),

  // Workspaces and their people: those who ask here are alone in theirs
  'POST /api/workspaces': accounts(201, { body: { name: 'Shop' } }),
  'GET /api/workspace': accounts(200),
  'PATCH /api/workspace': accounts(200, { body: { shownName: 'Ada' } }),
  'GET /api/workspace/history': accounts(200),
  'PUT /api/workspace/second-step': accounts(204, { body: { isDemanded: true } }),
  'POST /api/workspace/invitations': accounts(409, {
    body: () => ({ email: `${randomUUID()}@example.com`, role: 'editor' }),
  }),
  'DELETE /api/workspace/invitations/:id': invited(204),
  'PATCH /api/workspace/members/:memberId': accounts(404, { body: { role: 'viewer' } }),
  'DELETE /api/workspace/members/:memberId': accounts(404),
  'POST /api/workspace/leave': accounts(409),
  'POST /api/workspace/hand-over': accounts(404, { body: { memberId: 'absent' } }),
  'POST /api/invitations/look': everyone(410, token),
  'POST /api/invitations/accept': accounts(410, token),
  'POST /api/invitations/join': everyone(410, {
    body: { ...token.body, name: 'Grace', password: 'correct horse battery' },
  }),

  // Agents come with a key or a token: a cookie is none.
  'POST /api/mcp': everyone(401, { key: 'read', body: {} }),

  // Plans and payments
  'GET /api/user/subscription': accounts(200),
  'GET /api/user/plan-use': accounts(200),
  'GET /api/user/invoices': accounts(200),
  'POST /api/create-checkout-session': accounts(200, {
    body: { tier: 'starter', billing: 'monthly' },
    leaving: 409,
  }),
  'POST /api/user/billing-portal': accounts(409),
  'POST /api/user/subscription/cancel': accounts(409),
  'POST /api/user/subscription/resume': accounts(409),
  'POST /api/user/subscription/keep': accounts(409),
  'GET /api/user/subscription/preview': accounts(409, {
    path: '/api/user/subscription/preview?tier=starter&billing=monthly',
  }),
  'POST /api/user/subscription/refresh': accounts(200),
  'POST /api/billing/webhook': everyone(400, { body: {} }),
  'GET /api/checkout/:id': owners('payment page', '<!doctype html>')(200, ENDS),
  'GET /api/checkout/:id/payment': payment(200, ENDS),
  'POST /api/checkout/:id/address': payment(200, { body: BILLING_ADDRESS, leaving: 409 }),
  // The sandbox takes none.
  'POST /api/checkout/:id/promotion': payment(404, { body: { code: 'SPRING' }, leaving: 409 }),
  'GET /api/checkout/:id/page': payment(200, ENDS),
  'POST /api/checkout/:id/page': payment(200, { body: { action: 'pay', card: 'pays' }, ...ENDS }),
}

const HEADERS = ['content-type', 'cache-control', 'etag', 'location', 'content-length']

/** Calls a route as its rule says. Returns the status, the text, and headers that could tell answers apart. */
export async function answer(person: Person, name: string, rule: Rule, id = '', more = {}) {
  const [method = '', url = ''] = name.split(' ')
  const path = (rule.path ?? url).replace(':id', id)
  const query = rule.for === 'owners' && rule.of === 'picture' ? `?v=${id}` : ''
  const headers = { ...fromSomewhere(), ...more, ...(rule.file && { 'content-type': rule.file }) }
  const body = typeof rule.body === 'function' ? rule.body() : rule.body
  const init = { method, headers, ...(body !== undefined && { body }) }
  const response = await person.call(path + query, init)
  const isEndless = rule.stream && response.ok
  if (isEndless) await response.body?.cancel()
  const bytes = isEndless ? [] : await response.arrayBuffer()
  const text = Buffer.from(bytes as ArrayBuffer).toString('latin1')
  return [response.status, text, ...HEADERS.map((each) => response.headers.get(each))]
}
