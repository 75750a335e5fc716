import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { z } from '#contract/zod.ts'

/** A variable that was set but empty counts as not set. */
const blankIsUnset = (environment: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()))

const origin = z.string().transform((text, context) => {
  const url = URL.parse(text)
  if (url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash) {
    return url.origin
  }
  context.addIssue({ code: 'custom', message: 'an origin such as https://qr.example.com' })
  return z.NEVER
})

/** An address, with or without the number of bits that count (CIDR). */
function isAddressRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const width = { 4: 32, 6: 128 }[isIP(address)]
  if (!width || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= width)
}

/** A hop count, or a comma-separated list of addresses and CIDR ranges. */
const trustProxy = z.string().transform((text, context): number | string[] => {
  if (/^\d{1,2}$/.test(text)) return Number(text)
  const parts = text.split(',').map((part) => part.trim())
  if (parts.every(isAddressRange)) return parts
  context.addIssue({
    code: 'custom',
    message: 'a hop count such as 1, or addresses and CIDR ranges',
  })
  return z.NEVER
})

const port = z
  .string()
  .regex(/^\d+$/, 'a port from 0 to 65535')
  .transform(Number)
  .refine((value) => value <= 65_535, 'a port from 0 to 65535')

const environmentSchema = z.object({
  PORT: port.default(3000),
  HOST: z.string().default('0.0.0.0'),
  PUBLIC_URL: origin.optional(),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: z
    .string()
    .refine(
      (text) => /^postgres(ql)?:\/\//.test(text) && URL.canParse(text),
      'postgres://user:password@host/database',
    )
    .optional(),
  SESSION_SECRET: z.string().min(32, 'at least 32 characters').optional(),
  TRUST_PROXY: trustProxy.optional(),
  SIGN_UP: z.enum(['open', 'closed'], 'open or closed').default('open'),
  SUPPORT_EMAIL: z.email('an e-mail address').optional(),
  GEOIP_DATABASE: z.string().optional(),
  METRICS_TOKEN: z.string().min(16, 'at least 16 characters').optional(),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'a pino log level')
    .default('info'),
})

/** Variables whose values must not reach a log. */
const SECRETS = new Set(['DATABASE_URL', 'SESSION_SECRET', 'METRICS_TOKEN'])

/** Everything the environment decides, read once and frozen. */
export type Config = Readonly<{
  port: number
  host: string
  publicUrl: string
  dataDir: string
  databaseUrl: string | undefined
  sessionSecret: string | undefined
  trustProxy: number | string[] | false
  signUp: 'open' | 'closed'
  supportEmail: string | undefined
  geoipDatabase: string | undefined
  metricsToken: string | undefined
  logLevel: string
}>

/** A bad value in the environment; its message is one line that names the variable. */
export class ConfigError extends Error {}

/** @throws ConfigError naming the first variable at fault and what it takes */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const parsed = environmentSchema.safeParse(blankIsUnset(environment))
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    const name = String(issue?.path[0])
    // As JSON: a line end in the value must not make two lines of one.
    const given = SECRETS.has(name) ? 'set' : JSON.stringify(environment[name])
    throw new ConfigError(`${name} is ${given} but takes ${issue?.message}`)
  }
  const values = parsed.data
  if (values.DATABASE_URL && !values.SESSION_SECRET) {
    throw new ConfigError('SESSION_SECRET is required with DATABASE_URL: at least 32 characters')
  }
  return Object.freeze({
    port: values.PORT,
    host: values.HOST,
    publicUrl: values.PUBLIC_URL ?? `http://localhost:${values.PORT}`,
    dataDir: resolve(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL,
    sessionSecret: values.SESSION_SECRET,
    trustProxy: values.TRUST_PROXY ?? false,
    signUp: values.SIGN_UP,
    supportEmail: values.SUPPORT_EMAIL,
    geoipDatabase: values.GEOIP_DATABASE,
    metricsToken: values.METRICS_TOKEN,
    logLevel: values.LOG_LEVEL,
  })
}
