import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { reachOf } from '#contract/links.ts'
import { DAY_MS, HOUR_MS } from '#contract/time.ts'
import { z } from '#contract/zod.ts'

/**
 * Files that set variables differ in what they take away: a service that starts on `"/data"` or on `~/data`
 * has another folder than its operator thinks, and an empty one.
 */
const path = z
  .string()
  .refine((text) => !/^\s*["'~]/.test(text), 'a path without quotes and without ~, written out')

/** A value as it stands in a file with quotes, or with the line ends of Windows. */
const isBadlyRead = (text: string) => /[\r\n]/.test(text) || /^(["']).*\1$/.test(text)

/** A blank variable counts as not set. */
const blankIsUnset = (environment: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()))

/** A text that `parse` turns into a value; undefined for one that the variable does not take. */
const parsed = <Value>(takes: string, parse: (text: string) => Value | undefined) =>
  z.string().transform((text, context): Value => {
    const value = parse(text)
    if (value === undefined) context.addIssue({ code: 'custom', message: takes })
    return value ?? z.NEVER
  })

const origin = parsed('an origin such as https://qr.example.com', (text) => {
  const url = URL.parse(text)
  const isAll = url && /^https?:$/.test(url.protocol) && url.pathname === '/'
  return isAll && !url.search && !url.hash ? url.origin : undefined
})

/** An address, with or without the number of bits that count (CIDR). */
function isAddressRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const width = { 4: 32, 6: 128 }[isIP(address)]
  if (!width || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= width)
}

/** A hop count, or a comma-separated list of addresses and CIDR ranges. */
const trustProxy = parsed<number | string[]>(
  'a hop count such as 1, or addresses and CIDR ranges',
  (text) => {
    if (/^\d{1,2}$/.test(text)) return Number(text)
    const parts = text.split(',').map((part) => part.trim())
    return parts.every(isAddressRange) ? parts : undefined
  },
)

/** A text of this form */
const matching = (form: RegExp, takes: string) => z.string().regex(form, takes)

/** The address of another server */
const serverUrl = (protocol: RegExp, takes: string) =>
  z.string().refine((text) => protocol.test(text) && URL.canParse(text), takes)

const port = matching(/^\d+$/, 'a port from 0 to 65535')
  .transform(Number)
  .refine((value) => value <= 65_535, 'a port from 0 to 65535')

/** Values with commas between them */
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
)

/** Addresses and CIDR ranges with commas between them. */
const addressRanges = list.refine(
  (parts) => parts.length > 0 && parts.every(isAddressRange),
  'addresses and CIDR ranges such as 10.0.0.0/8',
)

/** Months from 1 to 120, or `forever`. */
const months = matching(
  /^([1-9]|[1-9]\d|1[01]\d|120|forever)$/,
  'months from 1 to 120, or forever',
).transform((text) => (text === 'forever' ? undefined : Number(text)))

/** A time such as 6h or 1d, from one hour to 31 days, in milliseconds */
const interval = parsed('a time such as 6h or 1d, from 1h to 31d', (text) => {
  const [, count, unit] = /^(\d{1,3})([hd])$/.exec(text) ?? []
  const ms = Number(count) * (unit === 'd' ? DAY_MS : HOUR_MS)
  return ms >= HOUR_MS && ms <= 31 * DAY_MS ? ms : undefined
})

/** Vendors of CDNs that say in headers where a visitor is. */
const GEO_HEADERS = ['bunny', 'cloudflare', 'cloudfront', 'fastly', 'vercel'] as const
export type GeoHeaders = (typeof GEO_HEADERS)[number]

/** A page of the operator's. */
const webPage = z.url({
  protocol: /^https?$/,
  error: 'the address of a page such as https://example.com/privacy',
})

const UNITS = { MB: 1024 ** 2, GB: 1024 ** 3 }

/** At least 64 MB: four segments of the journal. */
const size = parsed('a size such as 512MB or 1GB, at least 64MB', (text) => {
  const [, count, unit] = /^(\d{1,6})(MB|GB)$/.exec(text) ?? []
  const bytes = Number(count) * UNITS[unit as keyof typeof UNITS]
  return bytes >= 64 * UNITS.MB ? bytes : undefined
})

const environmentSchema = z.object({
  PORT: port.default(3000),
  // An IPv6 address stands in brackets in a URL, and here in either way.
  HOST: z
    .string()
    .transform((text) => text.replace(/^\[([^\]]*)\]$/, '$1'))
    .refine(
      (text) => isIP(text) > 0 || /^[a-z\d.-]+$/i.test(text),
      'an address of this machine such as 127.0.0.1 or ::',
    )
    .default('0.0.0.0'),
  PUBLIC_URL: origin.optional(),
  DATA_DIR: path.default('./data'),
  DATABASE_URL: serverUrl(
    /^postgres(ql)?:\/\//,
    'postgres://user:password@host/database',
  ).optional(),
  SCANS_URL: serverUrl(
    /^https?:\/\//,
    'https://user:password@host:8443/database of a ClickHouse',
  ).optional(),
  SCANS_CLUSTER: matching(/^[\w.-]{1,100}$/, 'the name of a cluster of ClickHouse').optional(),
  EMPTY_OK: z.literal('1', '1, for one start').optional(),
  SESSION_SECRET: z.string().min(32, 'at least 32 characters').optional(),
  TRUST_PROXY: trustProxy.optional(),
  SIGN_UP: z.enum(['open', 'invited', 'closed'], 'open, invited or closed').default('open'),
  VERIFY_EMAIL: z.enum(['optional', 'required'], 'optional or required').default('optional'),
  PASSWORD_LOGIN: z.enum(['on', 'off'], 'on or off').default('on'),
  OIDC_ISSUER: z
    .url({ protocol: /^https?$/, error: 'the address of an issuer' })
    // Its answers open accounts, so nothing on the way may change them.
    .refine(
      (text) => text.startsWith('https:') || reachOf(text) === 'device',
      'an https address; http only of this machine',
    )
    .optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: z.string().max(40, 'at most 40 characters').default('single sign-on'),
  BILLING: z.enum(['stripe', 'sandbox', 'off'], 'stripe, sandbox or off').optional(),
  STRIPE_SECRET_KEY: matching(
    /^(sk|rk)_(test|live)_\w+$/,
    'a secret or restricted key of Stripe (sk_… or rk_…)',
  ).optional(),
  STRIPE_WEBHOOK_SECRET: matching(
    /^whsec_[^\s,]*(,whsec_[^\s,]*)?$/,
    'the signing secret of the webhook endpoint (whsec_…), or a new and a former one with a comma between',
  ).optional(),
  // Every visitor gets this value, so a secret key is refused here.
  STRIPE_PUBLISHABLE_KEY: matching(
    /^pk_(test|live)_\w+$/,
    'a publishable key of Stripe (pk_…)',
  ).optional(),
  STRIPE_API_BASE: origin.optional(),
  CHECKOUT: z.enum(['hosted', 'embedded'], 'hosted or embedded').default('hosted'),
  STRIPE_MAILS: z.enum(['on', 'off'], 'on or off').default('off'),
  TAX: z.literal('stripe', 'stripe, or nothing').optional(),
  TAX_BEHAVIOR: z.enum(['exclusive', 'inclusive'], 'exclusive or inclusive').default('exclusive'),
  SMTP_URL: serverUrl(/^smtps?:\/\//, 'smtp://user:password@host:587 or smtps://…:465').optional(),
  MAIL_FROM: matching(
    /^[^\r\n]*@[^\r\n]+$/,
    'an address such as Tessera <qr@example.com>',
  ).optional(),
  SUPPORT_EMAIL: z.email('an e-mail address').optional(),
  PRIVACY_URL: webPage.optional(),
  TERMS_URL: webPage.optional(),
  BLOG_URL: webPage.optional(),
  CAREERS_URL: webPage.optional(),
  EXPIRED_PAGE: z.enum(['continue', 'plain'], 'continue or plain').default('continue'),
  DEMO: z.enum(['on', 'off', 'data'], 'on or off').default('off'),
  GEOIP_DATABASE: list.pipe(z.array(path)).optional(),
  GEO_HEADERS: z.enum(GEO_HEADERS, 'bunny, cloudflare, cloudfront, fastly or vercel').optional(),
  JOURNAL_MAX: size.default(UNITS.GB),
  SCAN_RETENTION: months.default(13),
  BACKUP_DIR: path.optional(),
  BACKUP_EVERY: interval.default(DAY_MS),
  BACKUP_KEEP: matching(/^[1-9]\d{0,2}$/, 'how many backups stay, from 1 to 999')
    .default('7')
    .transform(Number),
  BACKUP_KEY: z.string().min(16, 'at least 16 characters').optional(),
  WEBHOOK_ALLOW: addressRanges.optional(),
  HEALTH_CHECKS: z.enum(['on', 'off'], 'on or off').default('on'),
  METRICS_TOKEN: z.string().min(16, 'at least 16 characters').optional(),
  TLS_ASK_TOKEN: z.string().min(16, 'at least 16 characters').optional(),
  DNS_SERVERS: list.optional(),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'a pino log level')
    .default('info'),
})

/** Variables whose values must not reach a log. */
const SECRETS = new Set([
  'DATABASE_URL',
  'SCANS_URL',
  'SESSION_SECRET',
  'BACKUP_KEY',
  'METRICS_TOKEN',
  'TLS_ASK_TOKEN',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'STRIPE_PUBLISHABLE_KEY',
  'SMTP_URL',
  'OIDC_CLIENT_SECRET',
])

export type StripeSettings = {
  secretKey: string
  /** The mode of the key: test and live customers are kept apart */
  mode: 'test' | 'live'
  /** The secret of the endpoint, and for a day that of the one that it has replaced */
  webhookSecrets: string[]
  publishableKey: string | undefined
  /** Another origin for the SDK's requests than Stripe's */
  apiBase: string | undefined
  /** Whether new prices contain tax; undefined if Stripe computes none */
  tax: 'exclusive' | 'inclusive' | undefined
}

/** The OpenID Connect provider by which people sign in. */
export type ProviderSettings = {
  issuer: string
  clientId: string
  clientSecret: string
  /** The name on its button: Sign in with … */
  name: string
}

/** The settings from the environment, read once and frozen. */
export type Config = ReturnType<typeof readConfig>

/** A setting that the server cannot start with; the message is one line that names the variable. */
export class ConfigError extends Error {}

/** The error of a variable that must be set where others are as `by` says. */
const required = (name: string, by: string, takes: string) =>
  new ConfigError(`${name} is required with ${by}: ${takes}`)

/** @throws ConfigError that names the first wrong variable and what it takes */
export function readConfig(environment: Record<string, string | undefined>) {
  const parsed = environmentSchema.safeParse(blankIsUnset(environment))
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    const name = String(issue?.path[0])
    // As JSON, so that a line break in the value does not break the line.
    const given = SECRETS.has(name) ? 'set' : JSON.stringify(environment[name])
    throw new ConfigError(`${name} is ${given} but takes ${issue?.message}`)
  }
  for (const name of Object.keys(environmentSchema.shape)) {
    // Sessions depend on each character of a secret, so a running server keeps the one that it has.
    if (SECRETS.has(name) || !isBadlyRead(environment[name] ?? '')) continue
    throw new ConfigError(
      `${name} is ${JSON.stringify(environment[name])} but takes a value without quotes and line breaks`,
    )
  }
  const values = parsed.data
  if (values.DATABASE_URL && !values.SESSION_SECRET) {
    throw required('SESSION_SECRET', 'DATABASE_URL', 'at least 32 characters')
  }
  if (values.SCANS_URL && !values.DATABASE_URL) {
    throw required('DATABASE_URL', 'SCANS_URL', 'postgres://user:password@host/database')
  }
  if (values.SMTP_URL && !values.MAIL_FROM) {
    throw required('MAIL_FROM', 'SMTP_URL', 'Tessera <qr@example.com>')
  }
  if (values.VERIFY_EMAIL === 'required' && !values.SMTP_URL) {
    throw required('SMTP_URL', 'VERIFY_EMAIL=required', 'smtp://host:587')
  }
  const publicUrl = values.PUBLIC_URL ?? `http://localhost:${values.PORT}`
  const billing = values.BILLING ?? usualBilling(values.STRIPE_SECRET_KEY, publicUrl)
  if (values.TAX && billing !== 'stripe') {
    throw new ConfigError('BILLING=stripe is required with TAX=stripe, which computes the tax')
  }
  return Object.freeze({
    port: values.PORT,
    host: values.HOST,
    publicUrl,
    billing,
    /** Set where `billing` is 'stripe' */
    stripe: billing === 'stripe' ? stripeSettings(values) : undefined,
    checkout: values.CHECKOUT,
    /** Whether Stripe mails receipts and failed payments, and we do not */
    stripeMails: billing === 'stripe' && values.STRIPE_MAILS === 'on',
    dataDir: resolve(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL,
    /** Where scans are if they are in ClickHouse */
    scans: values.SCANS_URL ? { url: values.SCANS_URL, cluster: values.SCANS_CLUSTER } : undefined,
    /** Whether the server may start empty where data were expected */
    emptyOk: values.EMPTY_OK === '1',
    sessionSecret: values.SESSION_SECRET,
    trustProxy: values.TRUST_PROXY ?? (false as const),
    signUp: values.SIGN_UP,
    verifyEmail: values.VERIFY_EMAIL,
    passwordLogin: values.PASSWORD_LOGIN === 'on',
    provider: providerSettings(values),
    /** The mail server; without one mails are files in DATA_DIR/outbox */
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM ?? `Tessera <no-reply@${new URL(publicUrl).hostname}>`,
    supportEmail: values.SUPPORT_EMAIL,
    privacyUrl: values.PRIVACY_URL,
    termsUrl: values.TERMS_URL,
    blogUrl: values.BLOG_URL,
    careersUrl: values.CAREERS_URL,
    /** Whether the page of a free code that has ended offers to go on to its destination */
    expiredCodesContinue: values.EXPIRED_PAGE === 'continue',
    /** on: visitors can open an account that cannot be changed. data: `npm run demo` made all there is */
    demo: values.DEMO,
    /** Files in MaxMind's format; none for the packaged one */
    geoipDatabases: values.GEOIP_DATABASE ?? [],
    geoHeaders: values.GEO_HEADERS,
    /** Most bytes of scans on disk that the database has not */
    journalMax: values.JOURNAL_MAX,
    /** Months that the ledger of scans goes back; undefined for ever */
    scanRetention: values.SCAN_RETENTION,
    /** Backups that the service makes by itself; undefined without a folder for them */
    backups:
      values.BACKUP_DIR === undefined
        ? undefined
        : {
            folder: resolve(values.BACKUP_DIR),
            everyMs: values.BACKUP_EVERY,
            kept: values.BACKUP_KEEP,
          },
    /** Encrypts the secret in backups; without it they leave the secret out */
    backupKey: values.BACKUP_KEY,
    /** Addresses around the server that webhooks and checks of destinations may reach */
    webhookAllow: values.WEBHOOK_ALLOW ?? [],
    /** Whether destinations of codes are checked */
    healthChecks: values.HEALTH_CHECKS === 'on',
    metricsToken: values.METRICS_TOKEN,
    /** A proxy sends it when it asks whether a domain may have a certificate */
    tlsAskToken: values.TLS_ASK_TOKEN,
    /** DNS servers for the domains of customers; none for those of the machine */
    dnsServers: values.DNS_SERVERS ?? [],
    logLevel: values.LOG_LEVEL as string,
  })
}

function providerSettings(values: z.output<typeof environmentSchema>) {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_NAME } = values
  if (OIDC_ISSUER && OIDC_CLIENT_ID && OIDC_CLIENT_SECRET) {
    const [issuer, clientId, clientSecret] = [OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET]
    return { issuer, clientId, clientSecret, name: OIDC_NAME }
  }
  if (OIDC_ISSUER || OIDC_CLIENT_ID || OIDC_CLIENT_SECRET) {
    throw new ConfigError('OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET are needed together')
  }
  if (values.PASSWORD_LOGIN === 'on') return undefined
  throw required('OIDC_ISSUER', 'PASSWORD_LOGIN=off', 'the address of an issuer')
}

/** Test payments are for trying Tessera out: a public server has them only if BILLING says so. */
function usualBilling(secretKey: string | undefined, publicUrl: string) {
  if (secretKey) return 'stripe'
  return reachOf(publicUrl) === 'anyone' ? 'off' : 'sandbox'
}

/** The mode of a key of Stripe, by its second word: sk_live_…, rk_test_… */
const modeOf = (key: string) => (key.split('_')[1] === 'live' ? 'live' : 'test')

function stripeSettings(values: z.output<typeof environmentSchema>): StripeSettings {
  const { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_PUBLISHABLE_KEY } = values
  if (!STRIPE_SECRET_KEY) {
    throw required('STRIPE_SECRET_KEY', 'BILLING=stripe', 'a secret key of Stripe')
  }
  if (!STRIPE_WEBHOOK_SECRET) {
    throw required('STRIPE_WEBHOOK_SECRET', 'STRIPE_SECRET_KEY', 'npm run stripe:setup prints it')
  }
  if (values.CHECKOUT === 'embedded' && !STRIPE_PUBLISHABLE_KEY) {
    const takes = 'a publishable key of Stripe'
    throw required('STRIPE_PUBLISHABLE_KEY', 'CHECKOUT=embedded', takes)
  }
  const mode = modeOf(STRIPE_SECRET_KEY)
  if (STRIPE_PUBLISHABLE_KEY && modeOf(STRIPE_PUBLISHABLE_KEY) !== mode) {
    throw new ConfigError(
      `STRIPE_PUBLISHABLE_KEY is not a ${mode} key, as STRIPE_SECRET_KEY is: pk_${mode}_…`,
    )
  }
  return {
    secretKey: STRIPE_SECRET_KEY,
    mode,
    webhookSecrets: STRIPE_WEBHOOK_SECRET.split(','),
    publishableKey: STRIPE_PUBLISHABLE_KEY,
    apiBase: values.STRIPE_API_BASE,
    tax: values.TAX && values.TAX_BEHAVIOR,
  }
}
