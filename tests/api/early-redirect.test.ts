import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { decisive, resolveEarly, resolvePaths } from '../../src/server/codes/resolve-paths.ts'
import { engines } from '../support/engines.ts'
import { enrolPerson } from '../support/person.ts'
import { runTessera } from '../support/tessera.ts'

describe.each(engines)('what a scan gets on %s', (engine) => {
  const tessera = runTessera({ engine })
  const ada = enrolPerson(tessera, 'unlimited')

  test.each(Object.keys(decisive))(
    'follows %s also while migrations run, and its default before the column is there',
    async (column) => {
      const { db } = tessera.database
      const { id, shortCode } = await ada.code()
      const usual = async () =>
        (await resolvePaths(db, [shortCode], () => undefined)).get(shortCode)
      const rename = (from: string, to: string) =>
        sql`alter table codes rename column ${sql.ref(from)} to ${sql.ref(to)}`.execute(db)
      const plain = await usual()
      await sql`update codes set ${sql.ref(column)} = 1 where id = ${id}`.execute(db)
      const changed = await usual()
      expect(changed).not.toEqual(plain)
      expect(await resolveEarly(db, shortCode)).toEqual(changed)
      await rename(column, 'later')
      expect(await resolveEarly(db, shortCode)).toEqual(plain)
      await rename('later', column)
    },
  )
})
