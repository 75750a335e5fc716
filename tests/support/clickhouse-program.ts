import { createServer, type IncomingMessage } from 'node:http'
import { createRequire } from 'node:module'
import { buffer } from 'node:stream/consumers'

/*
 * A program that answers ClickHouse's HTTP interface with the engine of chdb, a statement at a time:
 * `node clickhouse-program.ts <folder of chdb> <folder of the data> <port>`
 */

const [chdb = '', data = '', port = ''] = process.argv.slice(2)
const { Session } = createRequire(`${chdb}/`)('chdb')
const session = new Session(data)

const NOT_SETTINGS = new Set([
  'query',
  'query_id',
  'database',
  'user',
  'password',
  'default_format',
  'wait_end_of_query',
])

/** `http_max_field_value_size`, as servers have it */
const FIELD_MAX = 128 * 1024

const quoted = (value: string) => `'${value.replace(/[\\']/g, '\\$&')}'`

/** The statement, and the parameters and settings that it runs with. */
async function asked(request: IncomingMessage) {
  const { searchParams } = new URL(request.url ?? '/', 'http://localhost')
  const body = await buffer(request)
  const type = request.headers['content-type'] ?? ''
  if (type.startsWith('multipart/')) {
    const form = await new Response(body, { headers: { 'content-type': type } }).formData()
    for (const [name, value] of form) {
      if (name !== 'query' && String(value).length > FIELD_MAX)
        throw new Error('Field value too long')
      searchParams.set(name, String(value))
    }
  }
  const query = searchParams.get('query')
  const statement = type.startsWith('multipart/') ? `${query}` : `${query ?? ''}\n${body}`
  const database = searchParams.get('database') ?? 'default'
  const settings = [...searchParams].filter(([name]) => !NOT_SETTINGS.has(name))
  return { statement, database, settings }
}

function answer({ statement, database, settings }: Awaited<ReturnType<typeof asked>>): Buffer {
  session.query(`use ${database}`)
  for (const [name, value] of settings) session.query(`set ${name} = ${quoted(value)}`)
  try {
    return Buffer.from(session.query(statement) ?? '')
  } finally {
    for (const [name] of settings) {
      if (!name.startsWith('param_')) session.query(`set ${name} = default`)
    }
  }
}

createServer(async (request, response) => {
  try {
    response.setHeader('x-clickhouse-query-id', '')
    response.end(answer(await asked(request)))
  } catch (error) {
    response.statusCode = 500
    response.end((error as Error).message)
  }
}).listen(Number(port), '127.0.0.1', () => process.stdout.write('listens\n'))
