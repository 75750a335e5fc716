import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from '../../../src/server/config.ts'

const SECRET = 'x'.repeat(32)

function faultOf(environment: Record<string, string>): string {
  try {
    readConfig(environment)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  throw new Error('no fault was found')
}

describe('the configuration', () => {
  test('needs nothing', () => {
    const config = readConfig({})
    expect(config).toEqual({
      ...config,
      port: 3000,
      host: '0.0.0.0',
      publicUrl: 'http://localhost:3000',
      dataDir: resolve('./data'),
      databaseUrl: undefined,
      emptyOk: false,
      sessionSecret: undefined,
      trustProxy: false,
      signUp: 'open',
      supportEmail: undefined,
      privacyUrl: undefined,
      termsUrl: undefined,
      geoipDatabases: [],
      geoHeaders: undefined,
      metricsToken: undefined,
      logLevel: 'info',
    })
    expect(Object.isFrozen(config)).toBe(true)
  })

  test('takes the http address of a provider only of this machine', () => {
    const client = { OIDC_CLIENT_ID: 'tessera', OIDC_CLIENT_SECRET: 'secret' }
    const issuers = ['https://id.example.com', 'http://localhost:9000', 'http://127.0.0.1:9000/id']
    for (const OIDC_ISSUER of issuers) {
      expect(readConfig({ ...client, OIDC_ISSUER }).provider).toMatchObject({ issuer: OIDC_ISSUER })
    }
    for (const OIDC_ISSUER of [
      'http://id.example.com',
      'http://10.0.0.5/',
      'http://localhost.evil.example',
    ]) {
      expect(faultOf({ ...client, OIDC_ISSUER })).toContain('https')
    }
  })

  test('takes a blank value as none', () => {
    expect(readConfig({ PORT: '', PUBLIC_URL: ' ', TRUST_PROXY: '' })).toEqual(readConfig({}))
  })

  test('prints the port into codes where no public address is set', () => {
    expect(readConfig({ PORT: '8080' }).publicUrl).toBe('http://localhost:8080')
  })

  test.each([
    ['PUBLIC_URL', 'https://qr.example.com', { publicUrl: 'https://qr.example.com' }],
    ['PUBLIC_URL', 'HTTPS://QR.Example.com:443/', { publicUrl: 'https://qr.example.com' }],
    ['PUBLIC_URL', 'http://[::1]:3000/', { publicUrl: 'http://[::1]:3000' }],
    ['TRUST_PROXY', '0', { trustProxy: 0 }],
    ['TRUST_PROXY', '2', { trustProxy: 2 }],
    ['TRUST_PROXY', '10.0.0.0/8, ::1', { trustProxy: ['10.0.0.0/8', '::1'] }],
    ['GEOIP_DATABASE', 'ipv4.mmdb, ./ipv6.mmdb,', { geoipDatabases: ['ipv4.mmdb', './ipv6.mmdb'] }],
    ['GEOIP_DATABASE', ' , ', { geoipDatabases: [] }],
    ['HOST', '[::]', { host: '::' }],
    ['MAIL_FROM', '"Tessera, QR" <qr@example.com>', { mailFrom: '"Tessera, QR" <qr@example.com>' }],
  ])('reads %s of %s', (name, value, read) => {
    expect(readConfig({ [name]: value })).toMatchObject(read)
  })

  const words = (text: string) => text.split(' ')
  const host = 'https://qr.example.com'
  const ORIGINS = words(`qr.example.com ftp://a ${host}/codes ${host}/?a ${host}/#a https://`)
  const PROXIES = [
    ...words('yes true -1 100 1.5 10.0.0.1, 300.0.0.1'),
    ...words('10.0.0.0/33 fd00::/129 10.0.0.0/ 10.0.0.0/8/8'),
  ]
  const RANGES = words('yes localhost 10.0.0.0/33 , 10.0.0.1;10.0.0.2')
  const VENDORS = words('yes Cloudflare cloudflare,fastly CF-IPCountry')
  const PAGES = words('privacy /privacy javascript:alert(1) mailto:help@example.com')
  const bad: [string, string[], string][] = [
    ['PORT', ['x', '-1', '65536', '80.5', '0x50', '1e3', '3\n0'], 'a port from 0 to 65535'],
    ['PUBLIC_URL', ORIGINS, 'an origin such as https://qr.example.com'],
    ['TRUST_PROXY', PROXIES, 'a hop count such as 1, or addresses and CIDR ranges'],
    ['SIGN_UP', ['no', 'OPEN', 'true'], 'open, invited or closed'],
    ['STRIPE_MAILS', ['yes', 'ON'], 'on or off'],
    ['EMPTY_OK', ['true', '0'], '1, for one start'],
    ['SUPPORT_EMAIL', ['help', 'help@'], 'an e-mail address'],
    ...['PRIVACY_URL', 'TERMS_URL'].map((name): [string, string[], string] => [
      name,
      PAGES,
      'the address of a page such as https://example.com/privacy',
    ]),
    ['SCAN_RETENTION', ['0', '121', '13 months', '-1'], 'months from 1 to 120, or forever'],
    ['WEBHOOK_ALLOW', RANGES, 'addresses and CIDR ranges such as 10.0.0.0/8'],
    ['GEO_HEADERS', VENDORS, 'bunny, cloudflare, cloudfront, fastly or vercel'],
    ['TAX', ['on', 'Stripe'], 'stripe, or nothing'],
    [
      'HOST',
      ['[::', 'a b', 'http://a', '"::"'],
      'an address of this machine such as 127.0.0.1 or ::',
    ],
    ...['DATA_DIR', 'BACKUP_DIR', 'GEOIP_DATABASE'].map((name): [string, string[], string] => [
      name,
      ['"/data"', "'./data", '~/data', '~'],
      'a path without quotes and without ~, written out',
    ]),
    ...['DATA_DIR', 'OIDC_CLIENT_ID', 'OIDC_NAME'].map((name): [string, string[], string] => [
      name,
      ['tessera\r', 'tessera\n'],
      'a value without quotes and line breaks',
    ]),
    ['OIDC_NAME', ['"Office"', "'Office'"], 'a value without quotes and line breaks'],
    ['TAX_BEHAVIOR', ['plus', 'unspecified'], 'exclusive or inclusive'],
    ['LOG_LEVEL', ['loud', 'INFO'], 'a pino log level'],
  ]

  test.each(
    bad.flatMap(([name, values, takes]) => values.map((value) => [name, value, takes] as const)),
  )('says in one line that %s is %j and what it takes', (name, value, takes) => {
    expect(faultOf({ [name]: value })).toBe(
      `${name} is ${JSON.stringify(value)} but takes ${takes}`,
    )
  })

  test.each([
    ['SESSION_SECRET', 'hunter2', 'at least 32 characters'],
    ['METRICS_TOKEN', 'hunter2', 'at least 16 characters'],
    ['DATABASE_URL', 'mysql://root:hunter2@db/x', 'postgres://user:password@host/database'],
    ['DATABASE_URL', 'postgres://root:hunter2@db:x/y', 'postgres://user:password@host/database'],
    ['DATABASE_URL', 'hunter2', 'postgres://user:password@host/database'],
  ])('names %s without the secret in it', (name, value, takes) => {
    expect(faultOf({ [name]: value })).toBe(`${name} is set but takes ${takes}`)
  })

  test('takes test payments where only this network reaches it, or if BILLING says so', () => {
    const PUBLIC_URL = 'https://qr.example.com'
    expect(readConfig({ PUBLIC_URL: 'http://192.168.1.20:3000' }).billing).toBe('sandbox')
    expect(readConfig({ PUBLIC_URL }).billing).toBe('off')
    expect(readConfig({ PUBLIC_URL, BILLING: 'sandbox' }).billing).toBe('sandbox')
  })

  test('takes no test payments with a key of Stripe, unless BILLING says so', () => {
    const stripe = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' }
    expect(readConfig(stripe).billing).toBe('stripe')
    const sandbox = readConfig({ ...stripe, BILLING: 'sandbox' })
    expect(sandbox).toMatchObject({ billing: 'sandbox', stripe: undefined })
  })

  test.each([
    ['sk_test_1', 'test'],
    ['rk_test_1', 'test'],
    ['sk_live_1', 'live'],
    ['rk_live_1', 'live'],
  ])('knows the mode of %s, and takes no publishable key of the other', (key, mode) => {
    const stripe = { STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: 'whsec_1' }
    const own = { ...stripe, STRIPE_PUBLISHABLE_KEY: `pk_${mode}_1` }
    expect(readConfig(own).stripe?.mode).toBe(mode)
    const other = { ...stripe, STRIPE_PUBLISHABLE_KEY: `pk_${mode === 'live' ? 'test' : 'live'}_1` }
    expect(faultOf(other)).toMatch(/^STRIPE_PUBLISHABLE_KEY is not/)
  })

  test('has tax computed by Stripe only, on top of prices unless TAX_BEHAVIOR says so', () => {
    const stripe = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' }
    expect(readConfig(stripe).stripe?.tax).toBeUndefined()
    expect(readConfig({ ...stripe, TAX: 'stripe' }).stripe?.tax).toBe('exclusive')
    const inclusive = { ...stripe, TAX: 'stripe', TAX_BEHAVIOR: 'inclusive' }
    expect(readConfig(inclusive).stripe?.tax).toBe('inclusive')
    expect(faultOf({ ...stripe, BILLING: 'off', TAX: 'stripe' })).toMatch(/^BILLING=stripe is req/)
  })

  test('asks for PostgreSQL with ClickHouse', () => {
    const SCANS_URL = 'http://scans:8123/tessera'
    expect(faultOf({ SCANS_URL })).toMatch(/^DATABASE_URL is required with SCANS_URL: postgres/)
  })

  test('asks for a session secret with PostgreSQL', () => {
    const DATABASE_URL = 'postgres://tessera@db/tessera'
    expect(faultOf({ DATABASE_URL })).toBe(
      'SESSION_SECRET is required with DATABASE_URL: at least 32 characters',
    )
    expect(readConfig({ DATABASE_URL, SESSION_SECRET: SECRET })).toMatchObject({
      databaseUrl: DATABASE_URL,
      sessionSecret: SECRET,
    })
    expect(
      readConfig({ DATABASE_URL: 'postgresql://db/x', SESSION_SECRET: SECRET }).databaseUrl,
    ).toBe('postgresql://db/x')
  })
})
