import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { lookupLimits } from '../../src/server/http/limits/limits.ts'
import { BEHIND_PROXY, someAddress } from '../support/crowd.ts'
import { engines } from '../support/engines.ts'
import { holdWriters } from '../support/held-database.ts'
import { eventually } from '../support/ledger.ts'
import { enrolPerson } from '../support/person.ts'
import { type PrintedCode, printCode, printCodes } from '../support/printed-code.ts'
import { runTessera } from '../support/tessera.ts'
import { visit } from '../support/visitors.ts'

/** More than the writers' connections to PostgreSQL. */
const SAVES = 12
const NOTHING = 'no-code-has-this-name'

describe.each(engines)('a code that is scanned for the first time, on %s,', (engine) => {
  const tessera = runTessera({ engine, environment: BEHIND_PROXY })
  const owner = enrolPerson(tessera, 'professional')

  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
  const ask = async (path: string, address = someAddress()) =>
    (await visit(tessera.origin + path, from(address))).status
  const scan = ({ key }: PrintedCode, address?: string) => ask(`/qr/${key}`, address)

  async function connectionsThatWait(): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(
      tessera.database.lookups,
    )
    return rows[0]?.count ?? 0
  }

  test('redirects while all writers wait, and the service says that it is ready', async () => {
    const [mine, printed] = [await owner.code(), await printCode(tessera.database.db)]
    const held = await holdWriters(tessera.database.location)
    const saves = Array.from({ length: SAVES }, (_, index) =>
      owner.patch(mine.id, { name: `Menu ${index}` }, from(someAddress()).headers),
    )
    if (engine === 'postgres') await eventually(async () => (await connectionsThatWait()) === 10)
    expect(await ask('/readyz')).toBe(200)
    expect(await scan(printed)).toBe(302)
    expect(await ask(`/qr/${NOTHING}`)).toBe(404)
    await held.release()
    expect((await Promise.all(saves)).map(({ status }) => status)).toEqual(saves.map(() => 200))
  })

  test('redirects for an address that guesses names, too', async () => {
    const printed = await printCodes(tessera.database.db, 20)
    const guesser = someAddress()
    const guesses = Array.from({ length: lookupLimits.counted.max }, (_, index) => `guess-${index}`)
    for (let start = 0; start < guesses.length; start += 50) {
      const some = guesses.slice(start, start + 50)
      const statuses = await Promise.all(some.map((name) => ask(`/qr/${name}`, guesser)))
      expect(new Set(statuses)).toEqual(new Set([404]))
    }
    const found = await Promise.all(printed.map((code) => scan(code, guesser)))
    expect(found).toEqual(printed.map(() => 302))
    expect(await ask('/qr/one-guess-more', guesser)).toBe(404)
  })
})
