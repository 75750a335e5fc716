import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client'
import type { ScansPlace } from '../../../database/connect.ts'

const TIMEOUT_MS = 30_000
const CONNECTIONS_MAX = 10

const ASKING: ClickHouseSettings = {
  max_execution_time: 20,
  output_format_json_quote_64bit_integers: 0,
}

/**
 * What keeps a repeated insert from adding rows twice. An insert is one block, which has the token; newer servers
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

/** A value of a query; its type stands in the query, as in `{codeId:String}`. */
export type Params = Record<string, string | number | readonly (string | number)[]>

/** A ClickHouse server, for one thread. Its library is loaded at the first statement. */
export class ClickHouse {
  readonly place: ScansPlace
  readonly #timeoutMs: number
  #client: Promise<ClickHouseClient> | undefined

  /** @param options.timeoutMs how long a statement may take */
  constructor(place: ScansPlace, { timeoutMs = TIMEOUT_MS } = {}) {
    this.place = place
    this.#timeoutMs = timeoutMs
  }

  #connected(): Promise<ClickHouseClient> {
    this.#client ??= import('@clickhouse/client').then(({ createClient, ClickHouseLogLevel }) =>
      createClient({
        url: this.place.url,
        application: 'tessera',
        // What fails is thrown, and told by who asked.
        log: { level: ClickHouseLogLevel.OFF },
        request_timeout: this.#timeoutMs,
        max_open_connections: CONNECTIONS_MAX,
        // An account may ask for ten thousand codes, which are too long for an address.
        use_multipart_params: true,
      }),
    )
    return this.#client
  }

  /** @throws what the server says */
  async rows<Row>(query: string, params: Params = {}): Promise<Row[]> {
    const client = await this.#connected()
    const answer = await client.query({
      query,
      query_params: params,
      format: 'JSONEachRow',
      clickhouse_settings: ASKING,
    })
    return answer.json<Row>()
  }

  /** Runs a statement without an answer. @throws what the server says */
  async run(statement: string, params: Params = {}, settings: ClickHouseSettings = {}) {
    const client = await this.#connected()
    await client.command({
      query: statement,
      query_params: params,
      clickhouse_settings: settings,
    })
  }

  /** Inserts rows, each a JSON array, in one block; a token that was there before adds nothing. @throws what the server says */
  async insert(table: string, rows: string[], token: string): Promise<void> {
    const settings = {
      ...INSERTING,
      wait_end_of_query: 1 as const,
      insert_deduplication_token: token,
    }
    await this.run(
      `insert into ${table} format JSONCompactEachRow\n${rows.join('\n')}`,
      {},
      settings,
    )
  }

  async close() {
    await (await this.#client)?.close()
  }
}
