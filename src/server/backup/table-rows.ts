import { hash } from 'node:crypto'
import { CompiledQuery, sql } from 'kysely'
import type { Engine } from '../database/connect.ts'
import type { Db } from '../database/schema.ts'

/*
 * Reads and writes whole tables, the same on both engines. A row is a line: a JSON array, which the database
 * itself writes and reads. Bytes are hexadecimal there, a flag is 0 or 1, an instant is ISO 8601 in UTC.
 */

/** `instant` and `flag` are PostgreSQL's timestamptz and boolean. */
type Kind = 'number' | 'text' | 'real' | 'bytes' | 'instant' | 'flag'
type Column = { name: string; kind: Kind; type: string }
/** Its columns in the order of their names, and its primary key */
export type Table = { name: string; columns: Column[]; key: string[] }

const PAGE_ROWS = 1_000
/** Characters of rows in one statement */
const STATEMENT_MAX = 4 << 20
/** Other tables refer to these, so these come first. */
const PARENTS = ['users', 'workspaces', 'sessions', 'codes', 'tags']
/** They say something of this database alone. */
const OWN = new Set(['service_marks', 'kysely_migration', 'kysely_migration_lock'])

const rankOf = (name: string) => PARENTS.indexOf(name) + 1 || PARENTS.length + 1

type Found = { table: string; column: string; type: string; keyPlace: number }

const ON_SQLITE = sql<Found>`select t.name as "table", c.name as "column", c.type, c.pk as "keyPlace"
  from sqlite_schema t, pragma_table_info(t.name) c
  where t.type = 'table' and t.name not like 'sqlite_%'`
const ON_POSTGRES = sql<Found>`select t.relname as "table", a.attname as "column",
    format_type(a.atttypid, null) as type,
    coalesce(array_position(i.indkey::int[], a.attnum::int), -1) + 1 as "keyPlace"
  from pg_class t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
  left join pg_index i on i.indrelid = t.oid and i.indisprimary
  where t.relkind in ('r', 'p') and not t.relispartition
    and t.relnamespace = current_schema()::regnamespace`

const kinds: Record<string, Kind> = {
  bigint: 'number',
  integer: 'number',
  real: 'real',
  'double precision': 'real',
  blob: 'bytes',
  bytea: 'bytes',
  boolean: 'flag',
  'timestamp with time zone': 'instant',
}

/** The tables that hold what the service knows, those first to which others refer. */
export async function tablesOf(db: Db, engine: Engine): Promise<Table[]> {
  const { rows } = await (engine === 'sqlite' ? ON_SQLITE : ON_POSTGRES).execute(db)
  const byName = Map.groupBy(
    rows.filter(({ table }) => !OWN.has(table)),
    ({ table }) => table,
  )
  const tables = [...byName].map(([name, found]) => ({
    name,
    columns: found
      .map(({ column, type }): Column => {
        return { name: column, kind: kinds[type.toLowerCase()] ?? 'text', type }
      })
      .sort((one, other) => (one.name < other.name ? -1 : 1)),
    key: found
      .filter(({ keyPlace }) => keyPlace > 0)
      .sort((one, other) => one.keyPlace - other.keyPlace)
      .map(({ column }) => column),
  }))
  return tables.sort(
    (one, other) => rankOf(one.name) - rankOf(other.name) || (one.name < other.name ? -1 : 1),
  )
}

const quoted = (name: string) => `"${name}"`

const ask = async (db: Db, text: string, cells: unknown[] = []) =>
  (await db.executeQuery<{ line: string }>(CompiledQuery.raw(text, cells))).rows

/** The text of a row in SQLite's SQL. */
function sqliteLine({ columns }: Table): string {
  const cells = columns.map(({ name, kind }) => {
    const cell = quoted(name)
    if (kind === 'bytes') return `iif(${cell} is null, null, hex(${cell}))`
    return kind === 'real' ? `json(printf('%!.17g', ${cell}))` : cell
  })
  return `json_array(${cells.join(', ')})`
}

/** The same in that of PostgreSQL, whose arrays have spaces. */
function postgresLine({ columns }: Table): string {
  const cells = columns.map(({ name, kind }) => {
    const cell = quoted(name)
    const texts: Record<Kind, string> = {
      number: `${cell}::text`,
      real: `${cell}::text`,
      flag: `${cell}::int::text`,
      text: `to_json(${cell})::text`,
      bytes: `to_json(upper(encode(${cell}, 'hex')))::text`,
      instant: `to_json(to_char(${cell} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text`,
    }
    return `coalesce(${texts[kind]}, 'null')`
  })
  return `'[' || concat_ws(',', ${cells.join(', ')}) || ']'`
}

/** Reads a table in the order of its key, by bytes, in parts. Call it in a transaction that sees one instant. */
export async function* readTable(db: Db, engine: Engine, table: Table): AsyncGenerator<string[]> {
  const hasReal = table.columns.some(({ kind }) => kind === 'real')
  for await (const page of engine === 'sqlite'
    ? sqlitePages(db, table)
    : postgresPages(db, table)) {
    const lines = page.map(({ line }) => line)
    // The engines write the same number with other digits.
    yield hasReal ? lines.map((line) => JSON.stringify(JSON.parse(line))) : lines
  }
}

async function* sqlitePages(db: Db, table: Table) {
  const keyOf = keyReader(table)
  const order = table.key.map(quoted).join(', ')
  const after = `where (${order}) > (${table.key.map(() => '?').join(', ')})`
  for (let last: string | undefined; ; ) {
    const rows = await ask(
      db,
      `select ${sqliteLine(table)} as line from ${quoted(table.name)} ${last ? after : ''}
        order by ${order} limit ${PAGE_ROWS}`,
      last ? keyOf(last) : [],
    )
    if (rows.length > 0) yield rows
    if (rows.length < PAGE_ROWS) return
    last = rows.at(-1)?.line
  }
}

async function* postgresPages(db: Db, table: Table) {
  const isText = new Set(
    table.columns.filter(({ kind }) => kind === 'text').map((column) => column.name),
  )
  const order = table.key.map((name) => quoted(name) + (isText.has(name) ? ' collate "C"' : ''))
  const text = `select ${postgresLine(table)} as line from ${quoted(table.name)} order by ${order}`
  await ask(db, `declare table_rows no scroll cursor for ${text}`)
  for (;;) {
    const rows = await ask(db, `fetch ${PAGE_ROWS} from table_rows`)
    if (rows.length > 0) yield rows
    if (rows.length < PAGE_ROWS) break
  }
  await ask(db, 'close table_rows')
}

export type Key = (string | number)[]

/** Reads the key of a row out of its line. */
export function keyReader({ key, columns }: Table): (line: string) => Key {
  const places = key.map((name) => columns.findIndex((column) => column.name === name))
  return (line) => {
    const cells = JSON.parse(line)
    return places.map((at) => cells[at])
  }
}

/** Adds rows, which the table does not have. The cells of a line are in the order of `columns`. */
export async function addRows(db: Db, engine: Engine, table: Table, lines: string[]) {
  const list = table.columns.map(({ name }) => quoted(name))
  const cells = table.columns.map((column, at) => readCell(column, at, engine))
  const rows = engine === 'sqlite' ? 'json_each(?) one' : 'json_array_elements($1::json) one(value)'
  const text = `insert into ${quoted(table.name)} (${list}) select ${cells.join(', ')} from ${rows}`
  for (const part of partsOf(lines)) await ask(db, text, [`[${part.join(',')}]`])
}

function readCell({ kind, type }: Column, at: number, engine: Engine): string {
  if (engine === 'sqlite') {
    const cell = `one.value ->> '$[${at}]'`
    return kind === 'bytes' ? `unhex(${cell})` : cell
  }
  const cell = `(one.value ->> ${at})`
  return kind === 'bytes' ? `decode(${cell}, 'hex')` : `${cell}::${type}`
}

/** Lines in parts that one statement takes. */
function* partsOf(lines: string[]): Generator<string[]> {
  let part: string[] = []
  let size = 0
  for (const line of lines) {
    if (size + line.length > STATEMENT_MAX && part.length > 0) {
      yield part
      part = []
      size = 0
    }
    part.push(line)
    size += line.length
  }
  if (part.length > 0) yield part
}

/** Removes the rows with these keys. */
export async function removeRows(db: Db, engine: Engine, table: Table, keys: Key[]): Promise<void> {
  const marks = table.key.map(
    (name, at) => `${quoted(name)} = ${engine === 'sqlite' ? '?' : `$${at + 1}`}`,
  )
  const text = `delete from ${quoted(table.name)} where ${marks.join(' and ')}`
  for (const key of keys) await ask(db, text, key)
}

/** On PostgreSQL: the next number of each column that counts by itself comes after those that are there. */
export async function raiseSequences(db: Db, engine: Engine): Promise<void> {
  if (engine === 'sqlite') return
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as "table", column_name as "column" from information_schema.columns
    where table_schema = current_schema() and column_default like 'nextval(%'`.execute(db)
  for (const { table, column } of rows) {
    const sequence = `pg_get_serial_sequence('${quoted(table)}', '${column}')`
    const newest = `(select coalesce(max(${quoted(column)}), 0) from ${quoted(table)})`
    await ask(db, `select setval(${sequence}, ${newest} + 1, false)`)
  }
}

const LANES = 4

/** Counts rows and sums their MD5 digests: the same for the same rows in any order. It finds accidents, not forgery. */
export class RowSum {
  rows = 0
  readonly #lanes = new Uint32Array(LANES)

  add(line: string) {
    this.rows++
    const digest = hash('md5', line, 'buffer')
    for (let lane = 0; lane < LANES; lane++) {
      this.#lanes[lane] = (this.#lanes[lane] ?? 0) + digest.readUInt32LE(4 * lane)
    }
  }

  get sum(): string {
    return Buffer.from(this.#lanes.buffer).toString('hex')
  }
}
