import pg from 'pg'

const server = process.env.TEST_DATABASE_URL

/** Runs a statement on the server of TEST_DATABASE_URL, outside of the tests' databases. */
export async function onServer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** The address of a database on that server. */
export function urlOf(name: string): string {
  const url = new URL(server as string)
  url.pathname = `/${name}`
  return url.href
}
