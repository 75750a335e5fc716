import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { givenPlan, saveSubscription } from '../src/server/billing/subscriptions-store.ts'
import { connect } from '../src/server/database/connect.ts'
import { transact } from '../src/server/database/transact.ts'
import { recordPast } from '../tests/support/past-scans.ts'
import type { ServerProcess } from '../tests/support/process.ts'
import { insertCodes } from './codes.ts'

const SCANNED = 200
const YEAR_MS = 365 * 24 * 60 * 60 * 1000
const HOUR_MS = 60 * 60 * 1000
const DESTINATION = 'https://example.com/where/people/want/to/go'

/** Somebody signed in: a cookie (`name=value`) and the short codes of what is theirs. */
export type Owner = { cookie: string; keys: string[] }

/** An account without a limit, signed in, with this many codes of which some have been scanned. */
export async function ownerOf({ origin, dataDir }: ServerProcess, count: number): Promise<Owner> {
  const engine = { engine: 'sqlite', file: join(dataDir, 'tessera.sqlite') } as const
  const response = await fetch(`${origin}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({
      ...{ email: `${randomUUID()}@example.com`, password: 'correct horse battery' },
      name: 'Ada Lovelace',
    }),
  })
  const { user } = (await response.json()) as { user: { id: string } }
  const cookie = (response.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const keys = await insertCodes(engine.file, count, DESTINATION, {
    owner: user.id,
    nameOf: (_key, index) => `Table ${index + 1}`,
  })
  const database = connect(engine, () => {})
  const now = Date.now()
  const plan = givenPlan({ userId: user.id, tier: 'unlimited', until: now + YEAR_MS, at: now })
  await transact(database.db, (tx) => saveSubscription(tx, plan, async () => []))
  const codes = await database.db
    .selectFrom('codes')
    .select('id')
    .where('user_id', '=', user.id)
    .limit(SCANNED)
    .execute()
  await database.close()
  await recordPast(
    engine,
    codes.map(({ id }, index) => ({ code_id: id, at: Date.now() - index * HOUR_MS })),
  )
  return { cookie, keys }
}
