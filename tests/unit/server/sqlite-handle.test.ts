import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSqlite } from '../../../src/server/database/sqlite-handle.ts'
import { newFolder } from '../../support/folder.ts'

test('a removed row leaves no bytes in the file', async () => {
  const file = join(await newFolder(), 'some.sqlite')
  const handle = openSqlite(file, { timeoutMs: 1_000 })
  handle.exec('create table people (id integer primary key, email text unique)')
  handle.exec("insert into people (email) values ('ada@example.com'), ('eve@example.com')")
  handle.pragma('wal_checkpoint(truncate)')
  expect(await readFile(file, 'latin1')).toContain('ada@example.com')
  handle.exec("delete from people where email like 'ada%'")
  // The last handle that closes writes the log back and removes it.
  handle.close()
  const left = await readFile(file, 'latin1')
  expect(left).not.toContain('ada@example.com')
  expect(left).toContain('eve@example.com')
})
