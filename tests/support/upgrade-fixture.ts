import { createPrivateKey, type JsonWebKey } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { DAY_MS, MINUTE_MS } from '#contract/time.ts'
import type { BinnedCode, QrCode } from '../../src/contract/codes/codes.ts'
import { connect, type Engine } from '../../src/server/database/connect.ts'
import { newPlace, type Place } from './engines.ts'
import { isSoak } from './soak.ts'
import { SoftwareAuthenticator } from './software-authenticator.ts'

const FOLDER = 'tests/fixtures/upgrades'

/** The answers of an earlier version to one of its users. */
type Account = { email: string; cookie: string; codes: QrCode[]; scans: Scans }

type Scans = { user: { totalScans: number }; codes: Record<string, { totalScans: number }> }

/** The facts of an earlier version, written by scripts/make-upgrade-fixture.ts. */
export type Facts = {
  madeAt: string
  password: string
  owner: Account & {
    user: object
    bin: BinnedCode[]
    subscription: { tier: string }
    menu: string
    plain: string
  }
  free: Account
  /** Where each printed link led, or the status that it answered. */
  links: Record<string, string | number>
  /** Scans of the code Plain that were on disk and not yet in the database. */
  waitingScans: number
  /** Only of versions that know second steps, passkeys and mailed links. */
  secondSteps?: {
    careful: { email: string; cookie: string; secret: string; recoveryCode: string }
    keyed: { email: string; passkey: Passkey }
    mailed: { email: string; cookie: string; resetToken: string }
  }
}

type Passkey = { id: string; key: JsonWebKey; rpId: string; userHandle: string }

/** Commits of earlier versions: in CI the first and the last of them. */
const versions = readdirSync(FOLDER)
export const earlierVersions = isSoak ? versions : ['6dd2476', '2c5dc1a']

export function factsOf(version: string, engine: Engine): Facts {
  return JSON.parse(readFileSync(join(FOLDER, version, engine, 'facts.json'), 'utf8'))
}

/** A place with the database and the files of an earlier version. */
export async function earlierPlace(version: string, engine: Engine): Promise<Place> {
  const folder = join(FOLDER, version, engine)
  const place = await newPlace(engine, { empty: true })
  const read = (file: string) => gunzipSync(readFileSync(join(folder, file)))
  if (place.location.engine === 'sqlite') {
    writeFileSync(place.location.file, read('tessera.sqlite.gz'))
  } else {
    const database = connect(place.location, () => {})
    await sql.raw(read('tessera.sql.gz').toString()).execute(database.db)
    await database.close()
  }
  await renewSessions(place)
  for (const name of readdirSync(join(folder, 'files'), { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.gz')) continue
    const file = join(place.dataDir, name.slice(0, -'.gz'.length))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, read(join('files', name)))
  }
  return place
}

/** Sessions go by the system's clock: those of a fixture are as old as a minute, whenever the test runs. */
async function renewSessions({ location }: Place): Promise<void> {
  const database = connect(location, () => {})
  const at = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString()
  await sql`update sessions set "createdAt" = ${at(-MINUTE_MS)}, "updatedAt" = ${at(-MINUTE_MS)},
    "expiresAt" = ${at(30 * DAY_MS)}`.execute(database.db)
  await database.close()
}

/** The device that holds a passkey of the fixture. */
export function deviceWith({ id, key, rpId, userHandle }: Passkey): SoftwareAuthenticator {
  const device = new SoftwareAuthenticator()
  device.credentials.push({
    id: Buffer.from(id, 'base64url'),
    key: createPrivateKey({ key, format: 'jwk' }),
    rpId,
    userHandle,
    counter: 0,
  })
  return device
}
