import type { Scan } from '../../src/server/analytics/store/scan.ts'
import { newScanId } from '../../src/server/analytics/store/scan-ids.ts'
import { connect, type Database, type Location } from '../../src/server/database/connect.ts'
import type { WorkspaceId } from '../../src/server/database/ids.ts'
import { migrate } from '../../src/server/database/migrate.ts'
import { newFolder } from '../../tests/support/folder.ts'
import { printCode } from '../../tests/support/printed-code.ts'

/** A new database with codes of some accounts. */
export async function newDatabase({ codes, accounts }: { codes: number; accounts: number }) {
  const file = `${await newFolder()}/tessera.sqlite`
  const location = { engine: 'sqlite', file } as const satisfies Location
  const database: Database = connect(location, () => {})
  await migrate(database)
  const codeIds: string[] = []
  for (let n = 0; n < codes; n++) {
    const code = await printCode(database.db, {
      workspace_id: `account ${n % accounts}` as WorkspaceId,
    })
    codeIds.push(code.id)
  }
  return { database, location, codeIds }
}

/** Made-up scans: the same ones each time, but for the codes' ids. */
export function scanMaker(codeIds: string[]): (at: number) => Scan {
  let state = 12_345
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
  /** The first of these more often than the last. */
  const pick = <T>(values: readonly T[], power = 2) =>
    values[Math.floor(values.length * random() ** power)] as T
  const cities = Array.from({ length: 300 }, (_, n) => `City ${n}`)
  const agents = Array.from({ length: 200 }, (_, n) => `agent ${n}`)
  return (at) => ({
    id: newScanId(at),
    code_id: pick(codeIds),
    at,
    class: pick(['person', 'bot', 'preview'] as const, 4),
    rule: pick(['2:browser', '2:isbot', '2:app'], 3),
    country: pick(['DE', 'FR', 'US', 'AT', 'CH', 'GB', 'IT', 'ES']),
    region: pick(['Bavaria', 'Vienna', 'Texas']),
    city: pick(cities),
    device: pick(['Mobile', 'Desktop', 'Tablet'], 3),
    os: pick(['iOS', 'Android', 'Windows', 'macOS']),
    browser: pick(['Safari', 'Chrome', 'Firefox', 'Edge', 'Instagram']),
    referrer: pick([null, null, null, 'google.com', 'instagram.com'], 1),
    language: pick(['de', 'en', 'fr', 'it', 'es']),
    agent: pick(agents),
    utm: null,
    visitor: String(Math.floor(random() * 1e6)).padStart(16, 'v'),
  })
}
