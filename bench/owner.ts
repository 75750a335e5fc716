import { randomUUID } from 'node:crypto'
import { DAY_MS } from '#contract/time.ts'
import type { SeedCode } from '../scripts/seed/seed-codes.ts'
import { sessionSecret } from '../src/server/accounts/sessions/session-secret.ts'
import { givenPlan, saveSubscription } from '../src/server/billing/subscriptions-store.ts'
import { connect, locationOf } from '../src/server/database/connect.ts'
import { transact } from '../src/server/database/transact.ts'
import { ownWorkspaceOf } from '../src/server/memberships.ts'
import { enrol } from '../tests/support/enrolment.ts'
import { recordPast } from '../tests/support/past-scans.ts'
import type { ServerProcess } from '../tests/support/process.ts'
import { insertCodes } from './codes.ts'

const SCANNED = 200
const HOUR_MS = 60 * 60 * 1000

/** A signed-in user, with a cookie as `name=value`; the password is that of tests/support/enrolment.ts. */
export type Owner = { cookie: string; codes: SeedCode[] }

/** Makes an account of the unlimited plan, signed in, with this many codes of which some have been scanned. */
export async function ownerOf({ origin, dataDir }: ServerProcess, count: number): Promise<Owner> {
  const database = connect(locationOf({ dataDir }), () => {})
  const registry = { database, publicUrl: origin, secret: sessionSecret({ dataDir }) }
  const person = { email: `${randomUUID()}@example.com`, name: 'Ada Lovelace' }
  const { id, cookie } = await enrol(registry, person)
  const workspaceId = await ownWorkspaceOf(database.db, id)
  const now = Date.now()
  const plan = givenPlan({ workspaceId, tier: 'unlimited', until: now + 365 * DAY_MS, at: now })
  await transact(database.db, (tx) => saveSubscription(tx, plan, async () => []))
  const codes = await insertCodes(database.db, count, workspaceId)
  await database.close()
  await recordPast(
    database.location,
    codes.slice(0, SCANNED).map((code, index) => ({ code_id: code.id, at: now - index * HOUR_MS })),
  )
  return { cookie: `${cookie.name}=${cookie.value}`, codes }
}
