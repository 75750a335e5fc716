import { kyselyAdapter } from '@better-auth/kysely-adapter'
import type { BetterAuthOptions } from 'better-auth'
import { isAPIError } from 'better-auth/api'
import { betterAuth } from 'better-auth/minimal'
import type { Database } from '../database/connect.ts'
import type { ForeignMigrations } from '../database/migrate.ts'
import { trustedOrigins } from '../http/policy/site-policy.ts'
import { cookieName } from './sessions/cookies.ts'
import { endOldestSessions } from './sessions/sessions-store.ts'

/** We set this header on every request to Better Auth, so that a client cannot. */
export const CLIENT_ADDRESS_HEADER = 'x-tessera-client-address'

export const SESSION_DAYS = 30
const HOUR_S = 60 * 60
const DAY_S = 24 * HOUR_S
/** Characters of a session's User-Agent that are kept. */
const AGENT_MAX = 512

type Settings = {
  database: Database
  publicUrl: string
  secret: string
  /** Called with errors that are ours and not the visitor's; Better Auth itself only answers 500. */
  onFault?: (error: Error) => void
}

/** First and last name from the name of a sign-up, split at its first space. */
export function splitName(name: string): { firstName: string | null; lastName: string | null } {
  const [first = '', ...rest] = name.trim().split(/\s+/)
  return { firstName: first || null, lastName: rest.join(' ') || null }
}

function options(settings: Settings) {
  const tell = (error: unknown) => {
    if (error instanceof Error && !isAPIError(error)) settings.onFault?.(error)
  }
  const https = settings.publicUrl.startsWith('https:')
  return {
    appName: 'Tessera',
    baseURL: settings.publicUrl,
    basePath: '/api/auth',
    secret: settings.secret,
    trustedOrigins: trustedOrigins(settings.publicUrl),
    telemetry: { enabled: false },
    logger: {
      level: 'error' as const,
      log: (_level, _message, ...details) => details.forEach(tell),
    },
    onAPIError: { onError: tell },
    user: {
      modelName: 'users',
      additionalFields: {
        firstName: { type: 'string', required: false, input: true },
        lastName: { type: 'string', required: false, input: true },
      },
    },
    session: {
      modelName: 'sessions',
      expiresIn: SESSION_DAYS * DAY_S,
      // People see when a session was used last, and a session in use is written once an hour.
      updateAge: HOUR_S,
    },
    account: { modelName: 'accounts', accountLinking: { enabled: false } },
    verification: { modelName: 'verifications' },
    // Our routes are the only way in, and count for themselves (http/limits.ts).
    rateLimit: { enabled: false },
    advanced: {
      useSecureCookies: false,
      // Without these lines both checks are off when NODE_ENV is test.
      disableOriginCheck: false,
      disableCSRFCheck: false,
      defaultCookieAttributes: { secure: https, httpOnly: true, sameSite: 'lax', path: '/' },
      cookies: { session_token: { name: cookieName(settings.publicUrl, 'session') } },
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
    },
    databaseHooks: {
      user: {
        create: {
          before: async (user) => ({ data: { ...splitName(user.name), ...withoutAbsent(user) } }),
        },
      },
      session: {
        create: {
          before: async ({ userAgent }) => ({
            data: { userAgent: userAgent?.slice(0, AGENT_MAX) ?? null },
          }),
          after: ({ userId }) => endOldestSessions(settings.database.db, userId),
        },
      },
    },
  } satisfies BetterAuthOptions
}

/** Drops keys without a value, so that they do not hide a default. */
function withoutAbsent<T extends object>(record: T): T {
  return Object.fromEntries(
    Object.entries(record).filter(([, value]) => value !== undefined && value !== null),
  ) as T
}

/** A column that a migration of ours adds, which Better Auth's own must not: a sign-up writes it too. */
const mustVerify = {
  type: 'number',
  fieldName: 'must_verify',
  ...{ required: false, input: false, returned: false },
} as const

export function createAuth(settings: Settings) {
  const { db, location } = settings.database
  const database = kyselyAdapter(db, { type: location.engine, transaction: true })
  const { user, ...others } = options(settings)
  const additionalFields = { ...user.additionalFields, mustVerify }
  return betterAuth({ ...others, user: { ...user, additionalFields }, database })
}

export type Auth = ReturnType<typeof createAuth>

/** The migration that makes Better Auth's tables. */
export function authMigrations(settings: Settings): ForeignMigrations {
  const type = settings.database.location.engine
  return {
    '003-accounts': {
      up: async (db) => {
        // Takes 30 MB, so it is loaded only when there is something to migrate.
        const { getMigrations } = await import('better-auth/db/migration')
        const own = await getMigrations({ ...options(settings), database: { db, type } })
        await own.runMigrations()
      },
    },
  }
}
