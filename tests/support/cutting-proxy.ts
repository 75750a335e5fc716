import { createServer, connect as dial, type Server, type Socket } from 'node:net'

/** When the line is cut: before the server gets the statement, or before its answer comes back. */
export type Moment = 'before' | 'after'

/** Decides at each statement of the recorder whether and when the line is cut. */
export type Cut = (sql: string) => Moment | undefined

/** Reads what a client sends, and returns the statements in it. */
type Reader = { read: (bytes: Buffer) => string[] }

/** The parts of HTTP requests to ClickHouse as they come: the first one has the beginning of the statement. */
export const httpParts = (): Reader => ({ read: (bytes) => [bytes.toString('latin1')] })

/**
 * A proxy in front of a database that can cut the line. Of PostgreSQL's it reads the recorder's statements,
 * which are the only named ones (PostgreSQL's frontend protocol, version 3.0).
 */
export class CuttingProxy {
  cut: Cut = () => undefined
  cuts = 0
  readonly #target: URL
  readonly #server: Server
  readonly #lines = new Set<Socket>()
  readonly #newReader: () => Reader
  #isDown = false

  private constructor(target: URL, newReader: () => Reader) {
    this.#target = target
    this.#newReader = newReader
    this.#server = createServer((client) => this.#join(client))
  }

  static async start(
    databaseUrl: string,
    newReader: () => Reader = () => new StatementReader(),
  ): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(new URL(databaseUrl), newReader)
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve))
    return proxy
  }

  /** The database's address through this proxy. */
  get url(): string {
    const url = new URL(this.#target)
    url.hostname = '127.0.0.1'
    url.port = String((this.#server.address() as { port: number }).port)
    return url.href
  }

  /** Cuts every line and refuses new ones until `up`. */
  down() {
    this.#isDown = true
    for (const socket of this.#lines) socket.destroy()
  }

  up() {
    this.#isDown = false
  }

  async stop() {
    this.down()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #join(client: Socket) {
    if (this.#isDown) return client.destroy()
    const server = dial(Number(this.#target.port), this.#target.hostname)
    const end = () => {
      client.destroy()
      server.destroy()
      this.#lines.delete(client)
    }
    this.#lines.add(client)
    for (const socket of [client, server]) {
      socket.setNoDelay(true)
      socket.on('error', end)
      socket.on('close', end)
    }
    const reader = this.#newReader()
    let isDeaf = false
    client.on('data', (bytes) => {
      const moment = reader.read(bytes).map((sql) => this.cut(sql))
      if (moment.includes('before')) {
        this.cuts++
        return end()
      }
      isDeaf ||= moment.includes('after')
      server.write(bytes)
    })
    server.on('data', (bytes) => {
      if (!isDeaf) return client.write(bytes)
      this.cuts++
      end()
    })
  }
}

const LENGTH_BYTES = 4

/** Reads the client's messages and answers the named statements that it runs. */
class StatementReader {
  #bytes = Buffer.alloc(0)
  #hasStarted = false
  readonly #statements = new Map<string, string>()

  read(bytes: Buffer): string[] {
    this.#bytes = Buffer.concat([this.#bytes, bytes])
    const run: string[] = []
    for (let message = this.#next(); message; message = this.#next()) {
      const sql = this.#statementIn(message)
      if (sql !== undefined) run.push(sql)
    }
    return run
  }

  /** The next whole message: its body, and its type, which the very first one does not have. */
  #next(): { type: string; body: Buffer } | undefined {
    const typeBytes = this.#hasStarted ? 1 : 0
    if (this.#bytes.length < typeBytes + LENGTH_BYTES) return undefined
    const end = typeBytes + this.#bytes.readInt32BE(typeBytes)
    if (this.#bytes.length < end) return undefined
    const type = this.#hasStarted ? String.fromCharCode(this.#bytes[0] as number) : ''
    const body = this.#bytes.subarray(typeBytes + LENGTH_BYTES, end)
    this.#bytes = this.#bytes.subarray(end)
    this.#hasStarted = true
    return { type, body }
  }

  #statementIn({ type, body }: { type: string; body: Buffer }): string | undefined {
    const [first = '', second = ''] = body.toString('latin1').split('\0', 2)
    // Parse: statement, SQL. Bind: portal, statement.
    if (type === 'P' && first) this.#statements.set(first, second)
    return type === 'B' ? this.#statements.get(second) : undefined
  }
}
