import pino from 'pino'
import { authMigrations, createAuth } from '../../src/server/accounts/auth.ts'
import { sessionSecret } from '../../src/server/accounts/session-secret.ts'
import { entitlementsOf } from '../../src/server/billing/subscriptions-store.ts'
import { Verdicts } from '../../src/server/codes/verdicts.ts'
import type { Config } from '../../src/server/config.ts'
import { connect, type Database, locationOf } from '../../src/server/database/connect.ts'
import { migrate } from '../../src/server/database/migrate.ts'
import { DrawingPool } from '../../src/server/pictures/drawing-pool.ts'
import { Drawings } from '../../src/server/pictures/drawings.ts'
import { cafeCodes } from './cafe-codes.ts'
import { Calendar } from './calendar.ts'
import { type DemoAccount, owner, signUp, subscribe, teacher } from './demo-accounts.ts'
import { makeCode } from './demo-codes.ts'
import { recordScans } from './demo-scans.ts'
import type { PlannedCode } from './planned-code.ts'
import { studioCodes } from './studio-codes.ts'

/** What is not checked by then is left to the server. */
const CHECKS_LIMIT_MS = 10_000
const LOOK_AGAIN_MS = 50

/** Fills an empty DATA_DIR with the demo's accounts, their codes, and ninety days of scans up to now. */
export async function seed(config: Config, now: Date): Promise<void> {
  const database = connect(locationOf(config), () => {})
  const pool = new DrawingPool()
  const drawings = new Drawings(pool)
  const verdicts = new Verdicts({
    ...{ db: database.db, publicUrl: config.publicUrl, log: pino({ level: 'silent' }) },
    checkLook: (look) => drawings.checkLook(look),
  })
  try {
    await fill({ config, database, calendar: new Calendar(now), verdicts })
  } finally {
    await Promise.all([verdicts.stop(), pool.stop()])
    await database.close()
  }
}

type Filling = { config: Config; database: Database; calendar: Calendar; verdicts: Verdicts }

async function fill({ config, database, calendar, verdicts }: Filling): Promise<void> {
  const { db, location } = database
  const { publicUrl } = config
  const settings = { database, publicUrl, secret: sessionSecret(config), signUp: 'open' as const }
  await migrate(database, authMigrations(settings))
  const auth = createAuth(settings)
  const deps = {
    ...{ db, publicUrl, entitlementsOf },
    onCodeChanged: () => {},
    onUnchecked: (id: string) => verdicts.checkSoon(id),
  }

  async function people(account: DemoAccount, planned: PlannedCode[]) {
    const userId = await signUp(auth, account)
    if (account.tier !== 'free') await subscribe(db, userId, account.tier, calendar)
    const made = []
    for (const code of planned) made.push(await makeCode(deps, userId, code))
    return made
  }

  const codes = [
    ...(await people(owner, cafeCodes(calendar))),
    ...(await people(teacher, studioCodes(calendar))),
  ]
  await recordScans(location, codes, calendar)
  await allChecked(database)
}

/** Verdicts come beside all else: the last codes have theirs soon after. */
async function allChecked({ db }: Database): Promise<void> {
  const limit = Date.now() + CHECKS_LIMIT_MS
  while (Date.now() < limit) {
    const unchecked = await db
      .selectFrom('codes')
      .select('id')
      .where('deleted_at', 'is', null)
      .where('legibility', 'is', null)
      .executeTakeFirst()
    if (!unchecked) return
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
  }
}
