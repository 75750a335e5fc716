import { createHmac, type ScryptOptions } from 'node:crypto'
import { type Auth, createAuth, sessionCookieName } from '../../src/server/accounts/auth.ts'
import { hashPassword } from '../../src/server/accounts/passwords.ts'
import type { Database } from '../../src/server/database/connect.ts'

export const PASSWORD = 'correct horse battery'

/** The least cost of a password's hash: tests do not wait for scrypt. */
export const QUICK_HASH: ScryptOptions = { N: 2, r: 1, p: 1 }

/** A service's database, the key of its session cookies, and the cost of its password hashes. */
export type Registry = {
  database: Database
  publicUrl: string
  secret: string
  passwordCost?: ScryptOptions
}

/** An account with a session, whose cookie has a name and a value. */
export type Enrolled = { id: string; cookie: { name: string; value: string } }

const known = new WeakMap<Database, Auth>()
const hashes = new Map<ScryptOptions | undefined, Promise<string>>()

/**
 * Makes an account with PASSWORD, signed in, without the sign-up call, whose rate limit is too low
 * for the suites. The sign-up has its own tests in accounts.test.ts and sign-in.spec.ts.
 */
export async function enrol(
  registry: Registry,
  { email, name }: { email: string; name: string },
): Promise<Enrolled> {
  const { database, publicUrl, secret, passwordCost } = registry
  const auth = known.get(database) ?? createAuth({ ...registry, signUp: 'open' })
  known.set(database, auth)
  const hash = hashes.get(passwordCost) ?? hashPassword(PASSWORD, passwordCost)
  hashes.set(passwordCost, hash)
  const { internalAdapter } = await auth.$context
  const { id } = await internalAdapter.createUser(
    { email, name, emailVerified: false },
    { method: 'email-password' },
  )
  await internalAdapter.linkAccount({
    ...{ userId: id, accountId: id, providerId: 'credential' },
    password: await hash,
  })
  const { token } = await internalAdapter.createSession(id)
  return { id, cookie: { name: sessionCookieName(publicUrl), value: signed(token, secret) } }
}

/** As Better Auth signs a cookie (better-call's signed cookies): HMAC-SHA256 in base64. */
function signed(token: string, secret: string): string {
  const signature = createHmac('sha256', secret).update(token).digest('base64')
  return encodeURIComponent(`${token}.${signature}`)
}
