import pg from 'pg'
import type { Location } from '../../src/server/database/connect.ts'
import type { Tables } from '../../src/server/database/schema.ts'
import { openSqlite } from '../../src/server/database/sqlite-handle.ts'

/** Rows in one statement of PostgreSQL */
const ROWS = 5_000
const LOCK_TIMEOUT_MS = 10_000
const CACHE_KIB = 256 * 1024

/** Columns with their types, in the order of the tables. */
const columns = {
  scans: {
    id: 'text',
    code_id: 'text',
    at: 'bigint',
    class: 'text',
    rule: 'text',
    country: 'text',
    region: 'text',
    city: 'text',
    device: 'text',
    os: 'text',
    browser: 'text',
    referrer: 'text',
    language: 'text',
    agent: 'bigint',
    visitor: 'text',
    first: 'integer',
  },
  agents: { id: 'bigint', text: 'text' },
  visitors: { day: 'integer', code_id: 'text', visitor: 'text' },
  scan_counts: {
    code_id: 'text',
    quarter: 'integer',
    persons: 'bigint',
    firsts: 'bigint',
    others: 'bigint',
  },
  scan_facets: { code_id: 'text', day: 'integer', facet: 'text', value: 'text', persons: 'bigint' },
  codes: {
    id: 'text',
    workspace_id: 'text',
    name: 'text',
    url: 'text',
    vanity_url: 'text',
    short_code: 'text',
    style: 'text',
    foreground_color: 'text',
    background_color: 'text',
    ecc: 'text',
    compact: 'integer',
    created_at: 'bigint',
    saved_at: 'bigint',
    paused_at: 'bigint',
    expires_at: 'bigint',
    deleted_at: 'bigint',
    legibility: 'text',
    legibility_of: 'text',
  },
  paths: { key: 'text', code_id: 'text', kind: 'text', since: 'bigint' },
} satisfies { [T in keyof Tables]?: Record<string, 'text' | 'bigint' | 'integer'> }
type Table = keyof typeof columns
export type SeedRows = { table: Table; rows: object[] }

/** Writes new rows, each set in one transaction. Rows of agents that are there stay. */
export type SeedWriter = { write(sets: SeedRows[]): Promise<void>; close(): Promise<void> }

export const seedWriter = (location: Location): SeedWriter =>
  location.engine === 'sqlite' ? sqliteWriter(location.file) : postgresWriter(location.url)

const valuesOf = (row: object, names: string[]) =>
  names.map((name) => (row as Record<string, unknown>)[name] ?? null)

function insertInto(table: Table, values: string): string {
  const names = Object.keys(columns[table]).map((name) => `"${name}"`)
  const known = table === 'agents' || table === 'visitors' ? ' on conflict do nothing' : ''
  return `insert into ${table} (${names.join(', ')}) ${values}${known}`
}

function sqliteWriter(file: string): SeedWriter {
  const handle = openSqlite(file, { timeoutMs: LOCK_TIMEOUT_MS })
  handle.pragma('synchronous = OFF')
  handle.pragma(`cache_size = -${CACHE_KIB}`)
  handle.pragma('wal_autocheckpoint = 20000')
  return {
    async write(sets) {
      handle.transaction(() => {
        for (const { table, rows } of sets) {
          const names = Object.keys(columns[table])
          const statement = handle.prepare(
            insertInto(table, `values (${names.map(() => '?').join(', ')})`),
          )
          for (const row of rows) statement.run(valuesOf(row, names))
        }
      })()
    },
    async close() {
      handle.pragma('wal_checkpoint(truncate)')
      handle.close()
    },
  }
}

function postgresWriter(url: string): SeedWriter {
  const client = new pg.Client({ connectionString: url })
  const connected = client.connect().then(() => client.query('set synchronous_commit = off'))

  async function insert(table: Table, rows: object[]) {
    const types = Object.entries(columns[table])
    const arrays = types.map(([, type], index) => `$${index + 1}::${type}[]`)
    const text = insertInto(table, `select * from unnest(${arrays.join(', ')})`)
    for (let start = 0; start < rows.length; start += ROWS) {
      const part = rows.slice(start, start + ROWS)
      const values = types.map(([name]) =>
        part.map((row) => (row as Record<string, unknown>)[name] ?? null),
      )
      await client.query({ name: `seed ${table}`, text, values })
    }
  }

  return {
    async write(sets) {
      await connected
      await client.query('begin')
      for (const { table, rows } of sets) await insert(table, rows)
      await client.query('commit')
    },
    close: () => client.end(),
  }
}
