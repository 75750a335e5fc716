import { open, stat } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Db } from '../database/schema.ts'
import { type Finding, say } from './finding.ts'

/** To read a larger file whole would take minutes. */
const READ_MAX_BYTES = 2 * 1024 ** 3

/** Reads a SQLite file whole. @throws if it is not there */
export async function checkSqliteFile(path: string, db: Db): Promise<Finding[]> {
  const { size } = await stat(path)
  if (size > READ_MAX_BYTES) return [say('database file', 'large')]
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`
    .execute(db)
    .catch(({ message }: Error) => ({ rows: [{ quick_check: message }] }))
  const reason = rows[0]?.quick_check
  if (reason === 'ok') return [say('database file', 'ok')]
  // The header can be behind the write-ahead log, so it counts only if something is wrong.
  const expected = await sizeInHeader(path)
  const key = size < expected ? 'short' : 'damaged'
  return [say('database file', key, { size, expected, reason })]
}

/** https://sqlite.org/fileformat2.html#the_database_header */
async function sizeInHeader(path: string): Promise<number> {
  const file = await open(path)
  const { buffer } = await file.read(Buffer.alloc(32))
  await file.close()
  const pageBytes = buffer.readUInt16BE(16)
  return buffer.readUInt32BE(28) * (pageBytes === 1 ? 65_536 : pageBytes)
}
