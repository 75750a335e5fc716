import {
  type Derive,
  deriveKey,
  hashPassword,
} from '../../src/server/accounts/passwords/passwords.ts'
import { cookieName, signedValue } from '../../src/server/accounts/sessions/cookies.ts'
import { createSession } from '../../src/server/accounts/sessions/sessions-store.ts'
import { createAccount } from '../../src/server/accounts/users-store.ts'
import type { Database } from '../../src/server/database/connect.ts'
import type { PersonId, WorkspaceId } from '../../src/server/database/ids.ts'
import { transact } from '../../src/server/database/transact.ts'
import { ownWorkspaceOf } from '../../src/server/memberships.ts'

export const PASSWORD = 'correct horse battery'

/** The least cost of a password's hash: tests do not wait for scrypt. */
const QUICK_COST = { N: 2, r: 1, p: 1 }

export const quickKey: Derive = async (password, salt) => deriveKey(password, salt, QUICK_COST)

/** As the server has it, for accounts of a server in a process of its own. */
const usualKey: Derive = async (password, salt) => deriveKey(password, salt)

/** A service's database, the key of its session cookies, and how it hashes passwords. */
export type Registry = {
  database: Database
  publicUrl: string
  secret: string
  derive?: Derive
}

/** An account with a session, whose cookie has a name and a value, and its own workspace. */
export type Enrolled = {
  id: PersonId
  workspaceId: WorkspaceId
  cookie: { name: string; value: string }
}

const hashes = new Map<Derive, Promise<string>>()

/**
 * Makes an account with PASSWORD, signed in, without the sign-up call, whose rate limit is too low
 * for the suites. The sign-up has its own tests in accounts.test.ts and sign-in.spec.ts.
 */
export async function enrol(
  registry: Registry,
  { email, name, emailVerified = false }: { email: string; name: string; emailVerified?: boolean },
): Promise<Enrolled> {
  const { database, publicUrl, secret, derive = usualKey } = registry
  const hash = hashes.get(derive) ?? hashPassword(PASSWORD, derive)
  hashes.set(derive, hash)
  const credential = { password: await hash }
  return transact(database.db, async (tx) => {
    const now = new Date()
    const given = { email, name, emailVerified, credential }
    const { id } = await createAccount(tx, given, now)
    const { token } = await createSession(tx, { userId: id, address: '', agent: '' })
    const value = signedValue({ name: 'session', value: token }, secret)
    const workspaceId = await ownWorkspaceOf(tx, id)
    return { id, workspaceId, cookie: { name: cookieName(publicUrl, 'session'), value } }
  })
}
