import { randomUUID } from 'node:crypto'
import { decisive } from '../../src/server/codes/resolve-paths.ts'
import type { WorkspaceId } from '../../src/server/database/ids.ts'
import type { Db, Tables } from '../../src/server/database/schema.ts'
import { addRows } from './rows.ts'

export type PrintedCode = { id: string; key: string; url: string }

/** A saved code without an account, put straight into the database, with one short code. */
export async function printCode(
  db: Db,
  change: Partial<Tables['codes']> = {},
): Promise<PrintedCode> {
  const id = randomUUID()
  const key = `t${id.slice(0, 8)}`
  const url = 'https://example.com/menu'
  const row: Tables['codes'] = {
    ...decisive,
    id,
    workspace_id: 'no-user' as WorkspaceId,
    name: 'Menu',
    url,
    vanity_url: null,
    short_code: key,
    style: 'classic',
    foreground_color: '#000000',
    background_color: '#FFFFFF',
    ecc: 'M',
    compact: 0,
    artwork: null,
    legibility: null,
    legibility_of: null,
    version: 1,
    domain: null,
    domain_id: null,
    external_id: null,
    checks_destination: 1,
    health_since: null,
    health_seen: null,
    created_at: Date.now(),
    saved_at: Date.now(),
    deleted_at: null,
    changed_by: null,
    changed_at: null,
    ...change,
  }
  await db.insertInto('codes').values(row).execute()
  await addRows(db, 'paths', { key, code_id: row.id, kind: 'short', since: row.created_at })
  return { id: row.id, key, url: row.url }
}

/** `printCode` for several. */
export async function printCodes(db: Db, count: number): Promise<PrintedCode[]> {
  return Promise.all(Array.from({ length: count }, () => printCode(db)))
}
