import { Kysely } from 'kysely'
import { expect, test } from 'vitest'
import { deleteWhere } from '../../../src/server/database/rows.ts'
import type { Tables } from '../../../src/server/database/schema.ts'
import { sqliteDialect } from '../../../src/server/database/sqlite-dialect.ts'

test('a value that is undefined deletes no row, and null finds null', () => {
  const db = new Kysely<Tables>({ dialect: sqliteDialect('never-opened.sqlite') })
  const { sql, parameters } = deleteWhere(db, 'users', { id: undefined, locale: null }).compile()
  expect(sql).toBe('delete from "users" where ("id" = ? and "locale" is null)')
  expect(parameters).toEqual([null])
})
