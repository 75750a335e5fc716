import { hash } from 'node:crypto'
import { CompiledQuery, sql } from 'kysely'
import type { Engine } from '../database/connect.ts'
import type { Db } from '../database/schema.ts'

/*
 * Reads and writes whole tables, the same on both engines: a flag is 0 or 1, an instant of `users` and its
 * kind ISO 8601 in UTC. Rows travel to the database as one JSON text for many of them.
 */

/** `instant` and `flag` are PostgreSQL's timestamptz and boolean. */
type Kind = 'plain' | 'bytes' | 'instant' | 'flag'
export type Column = { name: string; kind: Kind; type: string }
/** Its columns in the order of their names, and its primary key */
export type Table = { name: string; columns: Column[]; key: string[] }
export type Cell = string | number | null | Uint8Array
export type Row = Cell[]

const PAGE_ROWS = 1_000
/** Characters of rows in one statement */
const STATEMENT_MAX = 4 << 20
/** Other tables refer to these, so these come first. */
const PARENTS = ['users', 'sessions', 'codes', 'tags']
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
        return { name: column, kind: kinds[type.toLowerCase()] ?? 'plain', type }
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

function selected({ name, kind }: Column): string {
  if (kind === 'flag') return `${quoted(name)}::int as ${quoted(name)}`
  if (kind !== 'instant') return quoted(name)
  const utc = `${quoted(name)} at time zone 'UTC'`
  return `to_char(${utc}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${quoted(name)}`
}

const ask = (db: Db, text: string, cells: unknown[] = []) =>
  db.executeQuery<Record<string, Cell>>(CompiledQuery.raw(text, cells))

/** Reads a table in the order of its key, by bytes, in parts. Call it in a transaction that sees one instant. */
export async function* readTable(db: Db, engine: Engine, table: Table): AsyncGenerator<Row[]> {
  const pages = engine === 'sqlite' ? sqlitePages(db, table) : postgresPages(db, table)
  for await (const page of pages) {
    yield page.map((row) => table.columns.map(({ name }) => row[name] ?? null))
  }
}

async function* sqlitePages(db: Db, { name, columns, key }: Table) {
  const list = columns.map(selected).join(', ')
  const order = key.map(quoted).join(', ')
  const after = `where (${order}) > (${key.map(() => '?').join(', ')})`
  for (let last: Record<string, Cell> | undefined; ; ) {
    const cells = last ? key.map((column) => last?.[column]) : []
    const text = `select ${list} from ${quoted(name)} ${last ? after : ''} order by ${order} limit ${PAGE_ROWS}`
    const { rows } = await ask(db, text, cells)
    if (rows.length > 0) yield rows
    if (rows.length < PAGE_ROWS) return
    last = rows.at(-1)
  }
}

async function* postgresPages(db: Db, { name, columns, key }: Table) {
  const list = columns.map(selected).join(', ')
  const { rows: texts } = await sql<{ name: string }>`select attname as name from pg_attribute
    where attrelid = ${quoted(name)}::regclass and attcollation <> 0`.execute(db)
  const isText = new Set(texts.map((column) => column.name))
  const order = key.map((column) => quoted(column) + (isText.has(column) ? ' collate "C"' : ''))
  await ask(
    db,
    `declare table_rows no scroll cursor for select ${list} from ${quoted(name)} t
    order by ${order.map((column) => `t.${column}`).join(', ')}`,
  )
  for (;;) {
    const { rows } = await ask(db, `fetch ${PAGE_ROWS} from table_rows`)
    if (rows.length > 0) yield rows
    if (rows.length < PAGE_ROWS) break
  }
  await ask(db, 'close table_rows')
}

const hexOf = (cell: Cell) =>
  cell instanceof Uint8Array ? Buffer.from(cell).toString('hex') : cell

/** Adds rows, which the table does not have. `columns` are those of the rows. */
export async function addRows(db: Db, engine: Engine, table: Table, rows: Row[]): Promise<void> {
  const { name, columns } = table
  const list = columns.map((column) => quoted(column.name)).join(', ')
  const values = columns.map((column, at) => valueIn(column, at, engine)).join(', ')
  const from = engine === 'sqlite' ? 'json_each(?)' : 'json_array_elements($1::json)'
  const text = `insert into ${quoted(name)} (${list}) select ${values} from ${from} as one(value)`
  const statement = engine === 'sqlite' ? text.replace('as one(value)', 'as one') : text
  for (const part of partsOf(rows)) await ask(db, statement, [`[${part.join(',')}]`])
}

function valueIn({ kind, type }: Column, at: number, engine: Engine): string {
  if (engine === 'sqlite') {
    const value = `one.value ->> '$[${at}]'`
    return kind === 'bytes' ? `unhex(${value})` : value
  }
  const value = `(one.value ->> ${at})`
  return kind === 'bytes' ? `decode(${value}, 'hex')` : `${value}::${type}`
}

/** Rows as JSON texts, in parts that one statement takes. */
function* partsOf(rows: Row[]): Generator<string[]> {
  let part: string[] = []
  let size = 0
  for (const row of rows) {
    const text = JSON.stringify(row.map(hexOf))
    if (size + text.length > STATEMENT_MAX && part.length > 0) {
      yield part
      part = []
      size = 0
    }
    part.push(text)
    size += text.length
  }
  if (part.length > 0) yield part
}

/** Removes the rows with these keys. */
export async function removeRows(db: Db, engine: Engine, table: Table, rows: Row[]): Promise<void> {
  const { name, key, columns } = table
  const places = key.map((column) => columns.findIndex((each) => each.name === column))
  const text = `delete from ${quoted(name)} where ${key
    .map((column, at) => `${quoted(column)} = ${engine === 'sqlite' ? '?' : `$${at + 1}`}`)
    .join(' and ')}`
  for (const row of rows)
    await ask(
      db,
      text,
      places.map((at) => row[at]),
    )
}

/** On PostgreSQL: the next number of each column that counts by itself comes after those that are there. */
export async function raiseSequences(db: Db, engine: Engine): Promise<void> {
  if (engine === 'sqlite') return
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as "table", column_name as "column" from information_schema.columns
    where table_schema = current_schema() and column_default like 'nextval(%'`.execute(db)
  for (const { table, column } of rows) {
    const newest = `(select coalesce(max(${quoted(column)}), 0) from ${quoted(table)})`
    await ask(
      db,
      `select setval(pg_get_serial_sequence('${quoted(table)}', '${column}'), ${newest} + 1, false)`,
    )
  }
}

/** A row as a line of a backup: JSON, with bytes as `{"b": base64}`. */
export const lineOf = (row: Row): string =>
  JSON.stringify(
    row.map((cell) =>
      cell instanceof Uint8Array ? { b: Buffer.from(cell).toString('base64') } : cell,
    ),
  )

/** The row of such a line. */
export const rowOf = (cells: unknown[]): Row =>
  cells.map((cell) =>
    typeof cell === 'object' && cell !== null
      ? Buffer.from((cell as { b: string }).b, 'base64')
      : (cell as Cell),
  )

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
