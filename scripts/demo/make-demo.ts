import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { newCode } from '#contract/codes/codes.ts'
import { DAY_MS } from '#contract/time.ts'
import {
  type Derive,
  deriveKey,
  hashPassword,
} from '../../src/server/accounts/passwords/passwords.ts'
import { createAccount } from '../../src/server/accounts/users-store.ts'
import { type Actor, serverFor } from '../../src/server/actor.ts'
import { writeVisits } from '../../src/server/analytics/record/write-visits.ts'
import {
  entitlementsOf,
  givenPlan,
  saveSubscription,
} from '../../src/server/billing/subscriptions-store.ts'
import { applyPlan, changeCode, deleteCode } from '../../src/server/codes/change-code.ts'
import { createCode } from '../../src/server/codes/create-codes.ts'
import type { CodeDeps } from '../../src/server/codes/types.ts'
import type { Config } from '../../src/server/config.ts'
import { connect, locationOf } from '../../src/server/database/connect.ts'
import type { WorkspaceId } from '../../src/server/database/ids.ts'
import { migrate } from '../../src/server/database/migrate.ts'
import type { Db } from '../../src/server/database/schema.ts'
import { transact } from '../../src/server/database/transact.ts'
import {
  type DemoAccount,
  type DemoCode,
  owner,
  PASSWORD,
  teacher,
} from '../../src/server/demo/cafe.ts'
import { demoPlaces, type PastVisit, visitsOf } from '../../src/server/demo/visits.ts'
import { ownWorkspaceOf } from '../../src/server/memberships.ts'

/** A folder that holds this file is the demo's, and may be removed. */
const MARK = 'demo.json'
const SUBSCRIBED_DAYS_AGO = 98
const YEAR_DAYS = 365

/** Why there can be no demo, in one line. */
export class DemoRefused extends Error {}

/**
 * Makes the demo in DATA_DIR, unless an earlier start has made it; answers when it was made. It is
 * made in a folder beside DATA_DIR and moved when it is whole, so that a start that was cut off
 * leaves nothing that counts.
 *
 * @throws DemoRefused where DATA_DIR holds anything else
 */
export async function makeUnlessMade(config: Config): Promise<Date> {
  const { dataDir } = config
  const mark = join(dataDir, MARK)
  if (existsSync(mark)) return new Date(JSON.parse(await readFile(mark, 'utf8')).made)
  const [found] = existsSync(dataDir) ? await readdir(dataDir) : []
  if (found) {
    throw new DemoRefused(
      `DATA_DIR is ${dataDir}, which holds ${found} and is not the demo's: choose another folder, or none for ./data/demo`,
    )
  }
  console.log(`Making the demo in ${dataDir} …`)
  const unfinished = `${dataDir}.unfinished`
  if (existsSync(join(unfinished, MARK))) await rm(unfinished, { recursive: true })
  await mkdir(dirname(unfinished), { recursive: true })
  await mkdir(unfinished)
  const now = new Date()
  await writeFile(join(unfinished, MARK), JSON.stringify({ made: now }))
  await fill({ ...config, dataDir: unfinished }, now.getTime())
  await rm(dataDir, { recursive: true, force: true })
  await rename(unfinished, dataDir)
  return now
}

async function fill(config: Config, now: number): Promise<void> {
  const database = connect(locationOf(config), () => {})
  const { publicUrl } = config
  await migrate(database)
  const derive: Derive = async (password, salt) => deriveKey(password, salt)
  const visits: CodeVisit[] = []
  for (const account of [owner, teacher]) {
    const { name, email, tier, codes } = account
    const credential = { password: await hashPassword(PASSWORD, derive) }
    const given = { name, email, emailVerified: true, credential }
    const user = await transact(database.db, (tx) => createAccount(tx, given, new Date(now)))
    const workspaceId = await ownWorkspaceOf(database.db, user.id)
    if (tier !== 'free') await subscribe(database.db, workspaceId, tier, now)
    const making = { db: database.db, publicUrl, now, actor: serverFor(workspaceId) }
    for (const code of codes) visits.push(...(await makeCode(making, code)))
  }
  visits.sort((one, other) => one.at - other.at)
  await writeVisits(database.location, visits, demoPlaces)
  await database.close()
}

async function subscribe(db: Db, workspaceId: WorkspaceId, tier: DemoAccount['tier'], now: number) {
  const at = now - SUBSCRIBED_DAYS_AGO * DAY_MS
  const plan = givenPlan({ workspaceId, tier, at, until: at + YEAR_DAYS * DAY_MS })
  await transact(db, (tx) => saveSubscription(tx, plan, applyPlan))
}

type CodeVisit = PastVisit & { codeId: string }
type Making = { db: Db; publicUrl: string; now: number; actor: Actor }

/** Makes a code by the product's own steps, each on its day; answers who scanned it until now. */
async function makeCode({ db, publicUrl, now, actor }: Making, code: DemoCode) {
  const onDay = (daysAgo: number): CodeDeps => ({
    db,
    publicUrl,
    entitlementsOf,
    domainOf: async () => undefined,
    domainOfNew: async () => null,
    onCodeChanged: () => {},
    record: async () => {},
    publish: async () => {},
    // The server checks all codes that have no verdict when it starts.
    onUnchecked: () => {},
    clock: () => new Date(now - daysAgo * DAY_MS),
  })
  const { name, url, path, look, made, paused, deleted, scanned } = code
  const wanted = newCode.parse({ name, url, vanityUrl: path, ...look })
  const { id, expiresAt } = await createCode(onDay(made), actor, wanted)
  if (paused) await changeCode(onDay(paused), actor, id, { isActive: false })
  if (deleted) await deleteCode(onDay(deleted), actor, id)
  if (!scanned) return []
  const stopped = now - (paused ?? deleted ?? 0) * DAY_MS
  const to = Math.min(stopped, expiresAt ? Date.parse(expiresAt) : now)
  const visits = visitsOf({ name, from: now - made * DAY_MS, to, scanned })
  return visits.map((visit) => ({ ...visit, codeId: id }))
}
