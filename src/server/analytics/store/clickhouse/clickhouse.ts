import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client'
import { SECOND_MS } from '#contract/time.ts'
import { ConfigError } from '../../../config.ts'
import type { ScansPlace } from '../../../database/connect.ts'
import { agentFor } from './agent.ts'
import { ClickHouseFault, faultOf, refuseForeign } from './fault.ts'

/** How long a statement may take, and a query for which a screen may wait */
export const STATEMENT_MS = 30_000
const QUERY_MS = 10_000
/** After a timeout without any answer, other statements fail at once for this long: they do not wait one after the other. */
const SILENT_MS = 2_000

/**
 * These settings keep a repeated insert from adding rows twice. An insert is one block, which has the token; newer servers
 * would gather inserts of their own accord.
 */
export const INSERTING = {
  async_insert: 0,
  insert_deduplicate: 1,
  input_format_parallel_parsing: 0,
  max_insert_block_size: '10000000',
  min_insert_block_size_rows: '10000000',
  min_insert_block_size_bytes: '1000000000',
} satisfies ClickHouseSettings

/**
 * Seconds after which the server ends a statement: before we do, so that it is not taken for away, and that no
 * statement runs beside its next try.
 */
const serverLimit = (limitMs: number) => Math.max(1, limitMs / SECOND_MS - 2)

/** A value of a query; its type stands in the query, as in `{codeId:String}`. */
export type Params = Record<string, string | number | readonly (string | number)[]>

/** A ClickHouse server, for one thread. Its library is loaded at the first statement. */
export class ClickHouse {
  readonly place: ScansPlace
  readonly #timeoutMs: number
  #client: Promise<ClickHouseClient> | undefined
  #silentUntil = 0
  #answeredAt = 0

  /** @param options.timeoutMs how long a statement may take */
  constructor(place: ScansPlace, { timeoutMs = STATEMENT_MS } = {}) {
    this.place = place
    this.#timeoutMs = timeoutMs
  }

  #connected(): Promise<ClickHouseClient> {
    this.#client ??= import('@clickhouse/client').then(({ createClient, ClickHouseLogLevel }) =>
      createClient({
        url: this.place.url,
        application: 'tessera',
        // Callers log what is thrown.
        log: { level: ClickHouseLogLevel.OFF },
        request_timeout: this.#timeoutMs,
        http_agent: agentFor(this.place.url),
        // An account may ask for ten thousand codes, which are too long for an address.
        use_multipart_params: true,
      }),
    )
    return this.#client
  }

  /** Does it within a time. @throws ClickHouseFault */
  async #attempt<T>(
    limitMs: number,
    work: (client: ClickHouseClient, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    if (performance.now() < this.#silentUntil) throw new ClickHouseFault('TIMEOUT')
    const client = await this.#connected().catch(() => {
      throw new ConfigError('SCANS_URL is set but takes https://user:password@host:8443/database')
    })
    const begun = performance.now()
    const end = new AbortController()
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      late.reject(new ClickHouseFault('TIMEOUT'))
      end.abort()
    }, limitMs)
    try {
      const answer = await Promise.race([work(client, end.signal), late.promise])
      this.#answeredAt = performance.now()
      return answer
    } catch (error) {
      const fault = faultOf(error, this.place.url)
      // A server that has answered another statement since is there: only this one is slow.
      const isAway = fault.code === 'TIMEOUT' && this.#answeredAt < begun
      if (isAway) this.#silentUntil = performance.now() + SILENT_MS
      throw fault
    } finally {
      clearTimeout(timer)
    }
  }

  /** @throws ClickHouseFault */
  rows<Row>(query: string, params: Params = {}, limitMs = QUERY_MS): Promise<Row[]> {
    return this.#attempt(limitMs, async (client, signal) => {
      const answer = await client.query({
        query,
        query_params: params,
        format: 'JSONEachRow',
        abort_signal: signal,
        clickhouse_settings: {
          max_execution_time: serverLimit(limitMs),
          output_format_json_quote_64bit_integers: 0,
        },
      })
      refuseForeign(answer)
      return answer.json<Row>()
    })
  }

  /** Runs a statement without an answer. @throws ClickHouseFault */
  async run(statement: string, params?: Params, settings: ClickHouseSettings = {}) {
    await this.#attempt(this.#timeoutMs, async (client, signal) => {
      const asked = {
        query: statement,
        abort_signal: signal,
        // The server ends it before we do, so that no try runs beside the next one.
        clickhouse_settings: {
          max_execution_time: serverLimit(this.#timeoutMs),
          ...settings,
        },
      }
      // A command would send its parameters in the address, which holds a few of them only.
      const answer = params
        ? await client.query({ ...asked, query_params: params, format: 'JSONEachRow' })
        : await client.command(asked)
      refuseForeign(answer)
      if ('text' in answer) await answer.text()
    })
  }

  /** Inserts rows into a table with its columns, each a JSON array, in one block; a token that was there before adds nothing. @throws ClickHouseFault */
  async insert(table: string, rows: string[], token: string): Promise<void> {
    const settings = {
      ...INSERTING,
      wait_end_of_query: 1 as const,
      insert_deduplication_token: token,
    }
    await this.run(
      `insert into ${table} format JSONCompactEachRow\n${rows.join('\n')}`,
      undefined,
      settings,
    )
  }

  async close() {
    await (await this.#client)?.close()
  }
}
