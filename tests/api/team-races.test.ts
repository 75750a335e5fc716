import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Role } from '../../src/contract/accounts/roles.ts'
import { addInvitation } from '../../src/server/accounts/team/team-store.ts'
import { transact } from '../../src/server/database/transact.ts'
import { addMember } from '../../src/server/memberships.ts'
import { BEHIND_PROXY, fromSomewhere } from '../support/crowd.ts'
import { serverEngineInCi } from '../support/engines.ts'
import { PASSWORD } from '../support/enrolment.ts'
import { forBlock } from '../support/for-block.ts'
import { newCrowd, newMember, newPair, newPerson, Person } from '../support/person.ts'
import { settingsOf, startProcess } from '../support/process.ts'
import { refusal } from '../support/refusal.ts'
import { rowsOf } from '../support/rows.ts'
import { times } from '../support/soak.ts'
import { later } from '../support/stripe/upsets.ts'
import { runTessera } from '../support/tessera.ts'

const AT_ONCE = times(26, 50)
const rounds = Array.from({ length: times(2, 50) }, (_, index) => index + 1)

/** A call of a person to the process at an origin */
type Call = (origin: string) => Promise<Response>
const call =
  (person: Person, method: string, path: string, body?: object): Call =>
  (origin) => {
    const tessera = { ...person.tessera, origin }
    const there = Object.assign(person.elsewhere(person.cookie), { tessera })
    return there.call(path, { method, body, headers: fromSomewhere() })
  }

describe.each(serverEngineInCi)('calls to two processes at once on %s', (engine) => {
  const tessera = runTessera({ engine, environment: BEHIND_PROXY })
  const other = forBlock(() => {
    const { dataDir, database, secret: SESSION_SECRET } = tessera
    const environment = { ...BEHIND_PROXY, ...settingsOf(database.location), SESSION_SECRET }
    return startProcess({ dataDir, environment, preload: 'quick-hashes.ts' })
  })

  /** Makes fifty calls, every other one to each process. @returns what came of them, without these refusals */
  async function race(calls: (Call | undefined)[], refusals: string[], withinMs = 0) {
    const origins = [tessera.origin, other.origin]
    const outcomes = Array.from({ length: AT_ONCE }, async (_, nth) => {
      await later(Math.random() * withinMs)
      const response = (await calls[nth % calls.length]?.(origins[nth % 2] ?? '')) as Response
      expect(response.status).toBeLessThan(500)
      return response.ok ? 'granted' : (await refusal(response)).code
    })
    return (await Promise.all(outcomes)).filter((outcome) => !refusals.includes(outcome))
  }

  /** Invites people, or offers the workspace to them, who are members then. */
  const invite = ({ id: invitedBy, workspaceId }: Person, people: Person[], role: Role) =>
    transact(tessera.database.db, (tx) => {
      const invited = people.map(async (person) => {
        const now = tessera.clock.now()
        const { id: personId, email } = person
        if (role === 'owner') await addMember(tx, { workspaceId, personId, role: 'viewer' }, now)
        const given = { workspaceId, email, role, invitedBy, isShown: true }
        const { row, token } = await addInvitation(tx, given, now)
        const accept = call(person, 'POST', '/api/invitations/accept', { token })
        return { id: row.id, token, accept }
      })
      return Promise.all(invited)
    })

  const membersOf = ({ workspaceId }: Person) =>
    rowsOf(tessera.database.db, 'members', { workspace_id: workspaceId })

  /** Expects that a person’s first workspace has one other owner, and that each of the two has one of their own. */
  async function expectHandedOver(person: Person) {
    const { db } = tessera.database
    const [workspace] = await rowsOf(db, 'workspaces', { id: person.workspaceId })
    const [owner, members] = [workspace?.owner_id, await membersOf(person)]
    expect(members.filter(({ role }) => role === 'owner')).toMatchObject([{ person_id: owner }])
    const former = expect.objectContaining({ person_id: person.id, role: 'admin' })
    expect(members).toContainEqual(former)
    for (const owner_id of [person.id, owner])
      expect(await rowsOf(db, 'workspaces', { owner_id, is_own: 1 })).toHaveLength(1)
    expect(await rowsOf(db, 'deletions', { user_id: owner })).toEqual([])
  }

  test.each(rounds)('the last place goes to one of fifty people (round %i)', async () => {
    const owner = await newPerson(tessera, 'professional')
    await newMember(owner, 'viewer')
    const invited = await invite(owner, await newCrowd(tessera, AT_ONCE), 'editor')
    const accepts = invited.map(({ accept }) => accept)
    expect(await race(accepts, ['workspace_full'])).toEqual(['granted'])
    expect(await membersOf(owner)).toHaveLength(3)
  })

  test.each(rounds)('a link takes one person in, with one account (round %i)', async () => {
    const [owner, guest] = [await newPerson(tessera, 'unlimited'), await newPerson(tessera)]
    const newcomer = new Person(tessera, `${randomUUID()}@example.com`)
    const [known, added] = await invite(owner, [guest, newcomer], 'editor')
    expect(await race([known?.accept], ['link_over'])).toEqual(['granted'])
    const given = { token: added?.token, name: 'Grace', password: PASSWORD }
    const join = call(newcomer, 'POST', '/api/invitations/join', given)
    expect(await race([join], ['link_over', 'account_exists'])).toEqual(['granted'])
    expect(await rowsOf(tessera.database.db, 'users', { email: newcomer.email })).toHaveLength(1)
    expect(await membersOf(owner)).toHaveLength(3)
  })

  test.each(rounds)('a workspace goes to one of those who accept it (round %i)', async () => {
    const owner = await newPerson(tessera, 'unlimited')
    const [[removed, leaving], changed] = [await newPair(tessera), await newPerson(tessera)]
    const offers = await invite(owner, [removed, leaving, changed], 'owner')
    const at = `?workspace=${owner.workspaceId}`
    const member = ({ id }: Person) => `/api/workspace/members/${id}${at}`
    const calls = [
      ...offers.map(({ accept }) => accept),
      call(leaving, 'POST', `/api/workspace/leave${at}`),
      call(leaving, 'POST', '/api/account/deletion', {}),
      call(owner, 'POST', '/api/account/deletion', {}),
      call(owner, 'DELETE', `/api/workspace/invitations/${offers[0]?.id}${at}`),
      call(owner, 'POST', `/api/workspace/hand-over${at}`, { memberId: removed.id }),
      call(owner, 'DELETE', member(removed)),
      call(owner, 'PATCH', member(changed), { role: 'editor' }),
      call(leaving, 'POST', `/api/workspace/leave${at}`),
    ]
    await race(calls, [], 40)
    await expectHandedOver(owner)
  })

  test.each(rounds)('two people take over from each other (round %i)', async () => {
    const pairs = await newCrowd(tessera, 24)
    const partner = (nth: number) => pairs[nth % 2 ? nth - 1 : nth + 1] as Person
    const offers = pairs.map((owner, nth) => invite(owner, [partner(nth)], 'owner'))
    const accepts = (await Promise.all(offers)).map(([offer]) => offer?.accept)
    expect(await race(accepts, ['link_over'])).toEqual(pairs.map(() => 'granted'))
    for (const owner of pairs) await expectHandedOver(owner)
  })

  if (engine === 'postgres')
    test('none waits for another that waits for it', async () => {
      const { rows } = await sql`select deadlocks from pg_stat_database
        where datname = current_database()`.execute(tessera.database.db)
      expect(rows).toEqual([{ deadlocks: 0 }])
    })
})
