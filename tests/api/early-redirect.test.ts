import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { decisive, resolveEarly, resolvePaths } from '../../src/server/codes/resolve-paths.ts'
import { engines } from '../support/engines.ts'
import { enrolPerson } from '../support/person.ts'
import { runTessera } from '../support/tessera.ts'

describe.each(engines)('what a scan gets on %s', (engine) => {
  const tessera = runTessera({ engine })
  const ada = enrolPerson(tessera, 'unlimited')

  /** Only together do these two lead elsewhere. */
  const partners: Record<string, string> = {
    health: 'fallback_when_dead = 1',
    fallback_when_dead: "health = 'dead'",
  }

  test.each(Object.keys(decisive))(
    'follows %s also while migrations run, and its default before the column is there',
    async (column) => {
      const { db } = tessera.database
      const { id, shortCode } = await ada.code()
      const usual = async () =>
        (await resolvePaths(db, [shortCode], () => undefined)).get(shortCode)
      const rename = (from: string, to: string) =>
        sql`alter table codes rename column ${sql.ref(from)} to ${sql.ref(to)}`.execute(db)
      const set = (what: string) =>
        sql`update codes set ${sql.raw(what)} where id = ${id}`.execute(db)
      await set(partners[column] ?? 'version = version')
      const plain = await usual()
      await set(`${column} = ${column === 'health' ? "'dead'" : 1}`)
      const changed = await usual()
      expect(changed).not.toEqual(plain)
      expect(await resolveEarly(db, shortCode)).toEqual(changed)
      await rename(column, 'later')
      expect(await resolveEarly(db, shortCode)).toEqual(plain)
      await rename('later', column)
    },
  )
})
