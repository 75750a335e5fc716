import { utcDay } from '../../../dates.ts'
import { askTotalsDay, leaveTotals, shareTotals } from '../ledger/totals.ts'
import { askPackedUntil, leaveJoined } from '../packs/packs-state.ts'
import type { ScanKind } from './fold-scan.ts'
import type { LedgerTables, Position } from './ledger-tables.ts'
import { numbers, openPostgresLine } from './postgres-line.ts'

/** One round trip; each statement sees what was committed before it began. */
const BEGIN = `begin; ${shareTotals};
  select (${askTotalsDay}) as totals, (${askPackedUntil}) as packed`
// Columns travel as arrays: the text of a statement is the same for any number of rows.
const ADD_AGENTS = `insert into agents (id, text)
  select * from unnest($1::bigint[], $2::text[])
  on conflict (id) do update set unused_since = null where agents.unused_since is not null`
const ADD_VISITORS = `insert into visitors (day, code_id, visitor)
  select * from unnest($1::int[], $2::text[], $3::text[])
  on conflict do nothing returning day, code_id, visitor`
const ADD_SCANS = `insert into scans (id, code_id, at, class, rule, country, region, city, device, os,
    browser, referrer, language, agent, visitor, first)
  select s.id, s.code_id, s.at, k.class, k.rule, k.country, k.region, k.city, k.device, k.os,
    k.browser, k.referrer, k.language, k.agent, s.visitor, s.first
  from unnest($1::text[], $2::text[], $3::bigint[], $4::int[], $5::text[], $6::int[])
    s(id, code_id, at, kind, visitor, first)
  join unnest($7::int[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[],
    $13::text[], $14::text[], $15::text[], $16::text[], $17::text[], $18::bigint[])
    k(no, class, rule, country, region, city, device, os, browser, referrer, language, agent)
    on k.no = s.kind
  on conflict (id) do nothing`
const ADD_COUNTS = `insert into scan_counts (code_id, quarter, persons, firsts, others)
  select * from unnest($1::text[], $2::int[], $3::bigint[], $4::bigint[], $5::bigint[])
  on conflict (code_id, quarter) do update set persons = scan_counts.persons + excluded.persons,
    firsts = scan_counts.firsts + excluded.firsts, others = scan_counts.others + excluded.others`
const COUNT_FACETS = `select (select count(*) from scan_facets
    where code_id = asked.code_id and day = asked.day) as stored
  from unnest($1::text[], $2::int[]) with ordinality asked(code_id, day, no) order by no`
const ADD_FACETS = `insert into scan_facets (code_id, day, facet, value, persons)
  select * from unnest($1::text[], $2::int[], $3::text[], $4::text[], $5::bigint[])
  on conflict (code_id, day, facet, value)
    do update set persons = scan_facets.persons + excluded.persons`
const ADD_PACKS = `insert into scan_packs (user_id, day, part, version, rows, data)
  select user_id, day, part, version, rows, decode(hex, 'hex')
  from unnest($1::text[], $2::int[], $3::text[], $4::bigint[], $5::int[], $6::text[])
    packs(user_id, day, part, version, rows, hex)`
const MOVE_JOURNAL = `update journals set segment = $1, "offset" = $2, at = $3
  where id = $4 and segment = $5 and "offset" = $6`

/** The texts of a kind in the order of ADD_SCANS. */
const textColumns = [
  'class',
  'rule',
  'country',
  'region',
  'city',
  'device',
  'os',
  'browser',
  'referrer',
  'language',
] as const

export function openPostgresLedger(url: string): LedgerTables {
  const line = openPostgresLine(url)
  const run = async (...asked: Parameters<typeof line.run>) => {
    const { rowCount } = await line.run(...asked)
    return rowCount ?? 0
  }
  const end = async (sql: string) => void (await line.run(sql))

  return {
    async begin() {
      const answers = await line.runAll(BEGIN)
      const { totals, packed } = answers.at(-1)?.rows[0] ?? {}
      return { totalsDay: Number(totals ?? 0), packedUntil: Number(packed ?? 0) }
    },
    commit: () => end('commit'),
    rollback: () => end('rollback'),
    mark: () => end('savepoint part'),
    undo: () => end('rollback to part'),

    async positionOf(journal) {
      const asked = 'select segment, "offset" from journals where id = $1'
      return (await line.run(asked, [journal])).rows[0] as Position | undefined
    },
    async addJournal(journal, { segment, offset }, now) {
      const added = 'insert into journals values ($1, $2, $3, $4) on conflict do nothing'
      await run(added, [journal, segment, offset, now])
    },
    async moveJournal(journal, from, to, now) {
      const cells = [to.segment, to.offset, now, journal, from.segment, from.offset]
      return (await run(MOVE_JOURNAL, cells)) === 1
    },
    async removeJournal(journal) {
      await run('delete from journals where id = $1', [journal])
    },

    async leaveTotals(codeId, day) {
      await run(leaveTotals.postgres, [codeId, day])
    },

    async ownersOf(codeIds) {
      const asked = 'select id, user_id from codes where id = any($1::text[])'
      const { rows } = await line.run(asked, [codeIds])
      return new Map(rows.map(({ id, user_id }) => [id, user_id]))
    },
    async addPacks(rows) {
      if (rows.length === 0) return
      await run(ADD_PACKS, [
        rows.map((row) => row.user_id),
        numbers(rows.map((row) => row.day)),
        rows.map((row) => row.part),
        numbers(rows.map((row) => row.version)),
        numbers(rows.map((row) => row.rows)),
        rows.map((row) => Buffer.from(row.data).toString('hex')),
      ])
    },
    async leaveJoined(day) {
      await run(leaveJoined.postgres, [day, day])
    },

    async countAgents() {
      return Number((await line.run('select count(*) as stored from agents')).rows[0].stored)
    },
    addAgents: (rows) =>
      run(ADD_AGENTS, [numbers(rows.map(({ id }) => id)), rows.map(({ text }) => text)]),
    async agentsAmong(ids) {
      const asked = 'select id from agents where id = any($1::bigint[])'
      return (await line.run(asked, [numbers(ids)])).rows.map(({ id }) => Number(id))
    },
    async addVisitors(scans) {
      const { rows } = await line.run(ADD_VISITORS, [
        numbers(scans.map(({ at }) => utcDay(at))),
        scans.map(({ codeId }) => codeId),
        scans.map(({ visitor }) => visitor),
      ])
      const added = new Set(rows.map((row) => `${row.day}\n${row.code_id}\n${row.visitor}`))
      return scans.filter((scan) =>
        added.has(`${utcDay(scan.at)}\n${scan.codeId}\n${scan.visitor}`),
      )
    },
    async idsAmong(ids) {
      const asked = 'select id from scans where id = any($1::text[])'
      return (await line.run(asked, [ids])).rows.map(({ id }) => id)
    },
    async addScans(scans, firsts, hasAgent) {
      const kinds = [...new Set(scans.map(({ kind }) => kind))]
      const agents = kinds.map(({ agentId }) => (hasAgent(agentId) ? agentId : null))
      return run(ADD_SCANS, [
        scans.map(({ id }) => id),
        scans.map(({ codeId }) => codeId),
        numbers(scans.map(({ at }) => at)),
        numbers(scans.map(({ kind }) => kind.no)),
        scans.map(({ visitor }) => visitor),
        numbers(scans.map((scan) => (firsts.has(scan) ? 1 : 0))),
        numbers(kinds.map(({ no }) => no)),
        ...textColumns.map((column) => textsOf(kinds, column)),
        numbers(agents),
      ])
    },
    async addCounts(rows) {
      await run(ADD_COUNTS, [
        rows.map((row) => row.code_id),
        numbers(rows.map((row) => row.quarter)),
        numbers(rows.map((row) => row.persons)),
        numbers(rows.map((row) => row.firsts)),
        numbers(rows.map((row) => row.others)),
      ])
    },
    async countFacets(days) {
      const codes = days.map(({ codeId }) => codeId)
      const { rows } = await line.run(COUNT_FACETS, [codes, numbers(days.map(({ day }) => day))])
      return rows.map(({ stored }) => Number(stored))
    },
    async facetsOf({ codeId, day }) {
      const asked = 'select facet, value from scan_facets where code_id = $1 and day = $2'
      return (await line.run(asked, [codeId, day])).rows
    },
    async addFacets(rows) {
      if (rows.length === 0) return
      await run(ADD_FACETS, [
        rows.map((row) => row.code_id),
        numbers(rows.map((row) => row.day)),
        rows.map((row) => row.facet),
        rows.map((row) => row.value),
        numbers(rows.map((row) => row.persons)),
      ])
    },

    close: () => line.close(),
  }
}

const textsOf = (kinds: ScanKind[], column: (typeof textColumns)[number]) =>
  kinds.map(({ attributes }) => attributes[column])
