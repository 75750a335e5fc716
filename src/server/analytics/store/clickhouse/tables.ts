import { ConfigError } from '../../../config.ts'
import { attributeNames } from '../scan.ts'
import { type ClickHouse, INSERTING } from './clickhouse.ts'

/*
 * The tables of scans in ClickHouse. `scans` has all, in the order of account, day and code. `visitor` is half of a
 * visitor's hash, 0 for none, and shows whose scan was first at a code on a UTC day; an id is the scan's instant, counter and
 * nonce (scan-ids.ts). Before a month is dropped, `scan_sums` and `facet_sums` keep what it adds up to.
 */

/** The oldest version that has all that we use. */
const VERSION_MIN = [24, 8]
/** Repeats of inserts are known this long. */
const REPEATS = 10_000
const REPEATS_SECONDS = 7 * 86_400

/** The table of scans with the columns of an inserted row, in their order: a later version may add others. */
export const INTO_SCANS = `scans (${[
  ...['workspace_id', 'code_id', 'at', 'counter', 'nonce', 'visitor'],
  ...attributeNames,
]})`

const text = 'LowCardinality(Nullable(String))'

const tables = {
  scans: {
    columns: {
      workspace_id: 'String',
      code_id: 'String',
      at: 'Int64 codec(Delta, ZSTD)',
      counter: 'UInt32 codec(T64, ZSTD)',
      nonce: 'LowCardinality(String)',
      visitor: 'UInt64',
      ...Object.fromEntries(attributeNames.map((name) => [name, text])),
      day: 'UInt16 materialized intDiv(at, 86400000)',
    },
    partition: 'toYYYYMM(toDate(day))',
    order: 'workspace_id, day, code_id, at',
  },
  scan_sums: {
    columns: {
      workspace_id: 'String',
      code_id: 'String',
      quarter: 'UInt32',
      persons: 'UInt64',
      firsts: 'UInt64',
      others: 'UInt64',
    },
    partition: 'toYYYYMM(toDate(intDiv(quarter, 96)))',
    order: 'workspace_id, code_id, quarter',
  },
  facet_sums: {
    columns: {
      workspace_id: 'String',
      code_id: 'String',
      day: 'UInt16',
      facet: 'LowCardinality(String)',
      value: 'Nullable(String)',
      persons: 'UInt64',
    },
    partition: 'toYYYYMM(toDate(day))',
    order: 'workspace_id, code_id, facet, day',
  },
}

const quotedName = (name: string) => `\`${name.replace(/[\\`]/g, '\\$&')}\``

/** Follows the name of a table in a statement that changes tables. */
export const onCluster = ({ place: { cluster } }: ClickHouse) =>
  cluster ? `on cluster ${quotedName(cluster)}` : ''

function creationOf(clickhouse: ClickHouse, name: keyof typeof tables): string {
  const { columns, partition, order } = tables[name]
  const isReplicated = clickhouse.place.cluster !== undefined
  const repeats = isReplicated
    ? `replicated_deduplication_window = ${REPEATS},
      replicated_deduplication_window_seconds = ${REPEATS_SECONDS}`
    : `non_replicated_deduplication_window = ${REPEATS}`
  return `create table if not exists ${name} ${onCluster(clickhouse)}
    (${Object.entries(columns).map((column) => column.join(' '))})
    engine = ${isReplicated ? 'ReplicatedMergeTree' : 'MergeTree'}
    partition by ${partition} order by (${order})
    settings ${repeats}, fsync_after_insert = 1, fsync_part_directory = 1`
}

/**
 * Makes the tables that are not there. Only one process at a time should do it.
 * @throws ConfigError for a server that does not do what keeps scans from counting twice
 */
export async function makeTables(clickhouse: ClickHouse): Promise<void> {
  for (const name of Object.keys(tables)) {
    await clickhouse.run(creationOf(clickhouse, name as keyof typeof tables))
  }
  // With it, a query for the last seconds skips large parts, which have none of them.
  await clickhouse.run(
    `alter table scans ${onCluster(clickhouse)} add index if not exists newest at type minmax granularity 1`,
  )
  await refuseForgetful(clickhouse)
}

/** @throws ConfigError for a server that is too old */
export async function refuseOld(clickhouse: ClickHouse): Promise<void> {
  const [row] = await clickhouse.rows<{ version: string }>('select version() as version')
  const version = row?.version ?? ''
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [majorMin = 0, minorMin = 0] = VERSION_MIN
  if (major > majorMin || (major === majorMin && minor >= minorMin)) return
  throw new ConfigError(
    `SCANS_URL leads to ClickHouse ${version}. Tessera needs ${VERSION_MIN.join('.')} or later`,
  )
}

/** A profile of the server may forbid our settings, and a table made by hand may lack its own. */
async function refuseForgetful(clickhouse: ClickHouse): Promise<void> {
  const [table] = await clickhouse.rows<{ engine: string }>(
    "select engine_full as engine from system.tables where database = currentDatabase() and name = 'scans'",
  )
  const [, window = 0] = /replicated_deduplication_window = (\d+)/.exec(table?.engine ?? '') ?? []
  const names = Object.keys(INSERTING).map((name) => `toString(getSetting('${name}')) as ${name}`)
  const [settings = {}] = await clickhouse.rows<Record<string, string>>(
    `select ${names} settings ${Object.entries(INSERTING).map(([name, value]) => `${name} = ${value}`)}`,
  )
  const isOff = Object.entries(INSERTING).find(
    ([name, value]) => ![String(value), String(value === 1)].includes(settings[name] ?? ''),
  )
  if (Number(window) > 0 && !isOff) return
  throw new ConfigError(
    `SCANS_URL leads to a ClickHouse that would count repeated scans twice: ${isOff?.[0] ?? 'the deduplication window of its table scans'} is not as Tessera sets it`,
  )
}
