import type Sqlite from 'better-sqlite3'
import { openSqlite } from '../../../database/sqlite-handle.ts'
import { utcDay } from '../../../dates.ts'
import { attributeNames } from '../ledger/scan.ts'
import { askTotalsDay, leaveTotals } from '../ledger/totals.ts'
import { askPackedUntil, leaveJoined } from '../packs/packs-state.ts'
import { KnownRows } from './known-rows.ts'
import type { FoldMarks, LedgerTables } from './ledger-tables.ts'

/** How long a fold waits for another writer before it fails and is tried again. */
const LOCK_TIMEOUT_MS = 2_000
/** Rows in one statement, largest first: few distinct statements to prepare, few calls for many rows. */
const CHUNKS = [50, 10, 1]
const KINDS_KEPT = 20_000

type Value = string | number | Uint8Array | null

const ASK_MARKS = `select coalesce((${askTotalsDay}), 0) as totalsDay,
  coalesce((${askPackedUntil}), 0) as packedUntil`

/** A statement for many rows of some cells each. Returns how many rows changed. */
function forRows(handle: Sqlite.Database, width: number, sql: (values: string) => string) {
  const tuple = `(${Array(width).fill('?').join(', ')})`
  const statements = CHUNKS.map((rows) => ({
    cells: rows * width,
    statement: handle.prepare(sql(Array(rows).fill(tuple).join(', '))),
  }))
  return (cells: Value[]): number => {
    let changed = 0
    let from = 0
    for (const { cells: step, statement } of statements) {
      for (; from + step <= cells.length; from += step) {
        changed += statement.run(cells.slice(from, from + step)).changes
      }
    }
    return changed
  }
}

export function openSqliteLedger(file: string): LedgerTables {
  const handle = openSqlite(file, { timeoutMs: LOCK_TIMEOUT_MS })
  handle.pragma('temp_store = memory')
  handle.exec(
    `create temp table kinds (no integer primary key, ${attributeNames.map((name) => `"${name}"`).join(', ')})`,
  )
  /** Which kinds the temporary table has, so that a scan's row is written with its kind's number. */
  const kinds = new KnownRows<number>(2 * KINDS_KEPT)
  let kindsWritten = 0

  const prepared = new Map<string, Sqlite.Statement>()
  const statement = (sql: string) => {
    const known = prepared.get(sql) ?? handle.prepare(sql)
    prepared.set(sql, known)
    return known
  }
  const run = (sql: string, ...cells: Value[]) => statement(sql).run(cells).changes
  const end = (sql: string) => void statement(sql).run()

  const kindCells = `k.class, k.rule, k.country, k.region, k.city, k.device, k.os, k.browser,
    k.referrer, k.language, k.agent`
  const insertScans = forRows(
    handle,
    6,
    (values) => `insert into scans (id, code_id, at, class, rule, country, region, city, device, os,
      browser, referrer, language, agent, visitor, "first")
    select v.column1, v.column2, v.column3, ${kindCells}, v.column5, v.column6
    from (values ${values}) v cross join temp.kinds k on k.no = v.column4 where true
    on conflict (id) do nothing`,
  )
  const insertCounts = forRows(
    handle,
    5,
    (
      values,
    ) => `insert into scan_counts (code_id, quarter, persons, firsts, others) values ${values}
    on conflict (code_id, quarter) do update set persons = persons + excluded.persons,
      firsts = firsts + excluded.firsts, others = others + excluded.others`,
  )
  const insertFacets = forRows(
    handle,
    5,
    (values) => `insert into scan_facets (code_id, day, facet, value, persons) values ${values}
    on conflict (code_id, day, facet, value) do update set persons = persons + excluded.persons`,
  )
  const insertKind = `insert into temp.kinds values (${Array(attributeNames.length + 1).fill('?')})
    on conflict do nothing`

  return {
    begin() {
      if (kindsWritten > KINDS_KEPT) {
        handle.exec('delete from temp.kinds')
        kinds.clear()
        kindsWritten = 0
      }
      end('begin immediate')
      return statement(ASK_MARKS).get() as FoldMarks
    },
    commit() {
      end('commit')
      kinds.commit()
    },
    rollback() {
      kinds.undo()
      if (handle.inTransaction) end('rollback')
    },
    mark: () => end('savepoint part'),
    undo() {
      kinds.undo()
      end('rollback to part')
    },

    positionOf: (journal) =>
      statement('select segment, "offset" from journals where id = ?').get(journal) as never,
    addJournal(journal, { segment, offset }, now) {
      run(
        'insert into journals values (?, ?, ?, ?) on conflict do nothing',
        journal,
        segment,
        offset,
        now,
      )
    },
    moveJournal: (journal, from, to, now) =>
      run(
        'update journals set segment = ?, "offset" = ?, at = ? where id = ? and segment = ? and "offset" = ?',
        ...[to.segment, to.offset, now, journal, from.segment, from.offset],
      ) === 1,
    removeJournal(journal) {
      run('delete from journals where id = ?', journal)
    },

    leaveTotals(codeId, day) {
      run(leaveTotals.sqlite, codeId, day)
    },

    ownersOf(codeIds) {
      const sql = `select id, user_id from codes
        where id in (select value from json_each(?))`
      const rows = statement(sql).raw().all(JSON.stringify(codeIds)) as [string, string][]
      return new Map(rows)
    },
    addPacks(rows) {
      const sql = `insert into scan_packs (user_id, day, part, version, rows, data)
        values (?, ?, ?, ?, ?, ?)`
      for (const row of rows) {
        run(sql, row.user_id, row.day, row.part, row.version, row.rows, row.data)
      }
    },
    leaveJoined(day) {
      run(leaveJoined.sqlite, day, day)
    },

    countAgents: () => statement('select count(*) from agents').pluck().get() as number,
    addAgents(rows) {
      const sql = `insert into agents (id, text) values (?, ?) on conflict (id) do update
        set unused_since = null where agents.unused_since is not null`
      return rows.reduce((added, { id, text }) => added + run(sql, id, text), 0)
    },
    agentsAmong: (ids) =>
      ids.filter((id) => statement('select 1 from agents where id = ?').get(id)),
    addVisitors(scans) {
      const sql =
        'insert into visitors (day, code_id, visitor) values (?, ?, ?) on conflict do nothing'
      return scans.filter(({ at, codeId, visitor }) => run(sql, utcDay(at), codeId, visitor) === 1)
    },
    idsAmong: (ids) => ids.filter((id) => statement('select 1 from scans where id = ?').get(id)),
    addScans(scans, firsts, hasAgent) {
      const cells: Value[] = []
      for (const scan of scans) {
        const { no, attributes, agentId } = scan.kind
        if (!kinds.has(no)) {
          const { agent: _, ...texts } = attributes
          const agent = hasAgent(agentId) ? agentId : null
          const row = { ...texts, agent }
          run(insertKind, no, ...attributeNames.map((name) => row[name]))
          kinds.add(no)
          kindsWritten++
        }
        cells.push(scan.id, scan.codeId, scan.at, no, scan.visitor, firsts.has(scan) ? 1 : 0)
      }
      return insertScans(cells)
    },
    addCounts(rows) {
      insertCounts(
        rows.flatMap((row) => [row.code_id, row.quarter, row.persons, row.firsts, row.others]),
      )
    },
    countFacets(days) {
      const sql = `select (select count(*) from scan_facets
          where code_id = asked.value ->> 0 and day = asked.value ->> 1)
        from json_each(?) as asked order by asked.key`
      const asked = JSON.stringify(days.map(({ codeId, day }) => [codeId, day]))
      return statement(sql).pluck().all(asked) as number[]
    },
    facetsOf: ({ codeId, day }) =>
      statement('select facet, value from scan_facets where code_id = ? and day = ?').all(
        ...[codeId, day],
      ) as never,
    addFacets(rows) {
      insertFacets(rows.flatMap((row) => [row.code_id, row.day, row.facet, row.value, row.persons]))
    },

    close: () => handle.close(),
  }
}
