import { createHmac } from 'node:crypto'
import { type Auth, createAuth, sessionCookieName } from '../../src/server/accounts/auth.ts'
import { hashPassword } from '../../src/server/accounts/passwords.ts'
import type { Database } from '../../src/server/database/connect.ts'

export const PASSWORD = 'correct horse battery'

/** Where accounts are made: a service's database, and what signs its session cookies. */
export type Registry = { database: Database; publicUrl: string; secret: string }

/** An account with a session, whose cookie has a name and a value. */
export type Enrolled = { id: string; cookie: { name: string; value: string } }

const known = new WeakMap<Database, Auth>()
let hash: Promise<string> | undefined

/**
 * Makes an account with PASSWORD, signed in, past the sign-up call: hashing a password of its own
 * for each of a thousand accounts would take a third of the suites' time. The sign-up itself has
 * its tests in accounts.test.ts and sign-in.spec.ts.
 */
export async function enrol(
  registry: Registry,
  { email, name }: { email: string; name: string },
): Promise<Enrolled> {
  const { database, publicUrl, secret } = registry
  const auth = known.get(database) ?? createAuth({ ...registry, signUp: 'open' })
  known.set(database, auth)
  hash ??= hashPassword(PASSWORD)
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
