import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { User } from '../../src/contract/accounts/accounts.ts'
import type {
  MadeInvitation,
  ShownInvitation,
  Workspace,
  WorkspaceEvent,
} from '../../src/contract/accounts/team.ts'
import type { StatesPart } from '../../src/contract/codes/code-history.ts'
import type { QrCode } from '../../src/contract/codes/codes.ts'
import type { ApiKeyEntry } from '../../src/contract/integrations/api-keys.ts'
import { DAY_MS } from '../../src/contract/time.ts'
import { livingReaders } from '../../src/server/accounts/sessions/sessions-store.ts'
import { rowsWhere, updateWhere } from '../../src/server/database/rows.ts'
import { BEHIND_PROXY } from '../support/crowd.ts'
import { engines, oneEngineInCi } from '../support/engines.ts'
import { Mailed } from '../support/mailed.ts'
import { newMember, newPerson, Person, subscribe } from '../support/person.ts'
import { newProgram } from '../support/program.ts'
import { runTessera } from '../support/tessera.ts'

const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code
const stranger = () => `${randomUUID()}@example.com`

describe.each(engines)('a workspace with several people on %s', (engine) => {
  const tessera = runTessera({ engine, environment: BEHIND_PROXY })

  const workspaceOf = (person: Person) => person.ask<Workspace>('/api/workspace')
  const invite = (owner: Person, email: string, role = 'editor') =>
    owner.make<MadeInvitation>('/api/workspace/invitations', { email, role })
  const tokenOf = ({ link }: MadeInvitation) => `${link}`.split('#')[1] ?? ''
  const look = async (who: Person, token: string) =>
    (await who.post('/api/invitations/look', { token })).json() as Promise<ShownInvitation>
  const accept = (who: Person, token: string) => who.post('/api/invitations/accept', { token })

  test('takes in a new person and one with an account, each as themselves', async () => {
    const owner = await newPerson(tessera, 'professional')
    const email = stranger()
    const token = tokenOf(await invite(owner, email.toUpperCase()))
    const visitor = new Person(tessera, email)
    expect(await look(visitor, token)).toMatchObject({
      workspace: 'Ada Lovelace’s workspace',
      by: 'Ada Lovelace',
      email,
      role: 'editor',
      next: 'sign-up',
    })
    const password = 'correct horse battery'
    const joined = await visitor.post('/api/invitations/join', { token, name: 'Grace', password })
    expect([joined.status, await joined.json()]).toEqual([200, { workspaceId: owner.workspaceId }])
    await visitor.signIn(password)
    visitor.at = owner.workspaceId
    const { id } = await visitor.code()
    // A schema of a query that takes nothing else
    const asked = await visitor.call(`/api/qr-codes/${id}/legibility?style=rounded`)
    expect(asked.status).not.toBe(422)
    const history = await owner.ask<StatesPart>(`/api/qr-codes/${id}/history`)
    expect(history.lastChange).toMatchObject({ byName: 'Grace', isYou: false })

    const other = await newPerson(tessera)
    const second = tokenOf(await invite(owner, other.email, 'viewer'))
    expect((await look(new Person(tessera, ''), second)).next).toBe('log-in')
    expect((await look(owner, second)).next).toBe('other-account')
    expect((await look(other, second)).next).toBe('join')
    expect(await codeOf(await accept(owner, second))).toBe('other_account')
    expect((await accept(other, second)).status).toBe(200)
    expect(await codeOf(await accept(other, second))).toBe('link_over')
    const { workspaces } = await other.ask<User>('/api/auth/user')
    expect(workspaces).toEqual([
      expect.objectContaining({ isOwn: true, role: 'owner', subscriptionTier: 'free' }),
      expect.objectContaining({ id: owner.workspaceId, role: 'viewer', isOwn: false }),
    ])
    expect((await owner.ask<User>('/api/auth/user')).workspaces).toBeUndefined()
    const { members, invitations } = await workspaceOf(owner)
    expect(members.map(({ role }) => role)).toEqual(['owner', 'editor', 'viewer'])
    expect(invitations).toEqual([])
    expect(
      await codeOf(
        await owner.post('/api/workspace/invitations', { email: stranger(), role: 'viewer' }),
      ),
    ).toBe('workspace_full')
    const items = await owner.ask<WorkspaceEvent[]>('/api/workspace/history')
    expect(items.map(({ event, by }) => `${event} by ${by}`)).toEqual(
      expect.arrayContaining([
        'member-invited by Ada Lovelace',
        'member-joined by Grace',
        'code-made by Grace',
      ]),
    )
  })

  test('refuses invitations beyond the plan, to members, and by the address of another', async () => {
    const free = await newPerson(tessera)
    const asked = { email: stranger(), role: 'editor' }
    expect(await codeOf(await free.post('/api/workspace/invitations', asked))).toBe(
      'workspace_full',
    )
    const owner = await newPerson(tessera, 'professional')
    const editor = await newMember(owner, 'editor')
    const again = { email: editor.email, role: 'admin' }
    expect(await codeOf(await owner.post('/api/workspace/invitations', again))).toBe(
      'member_exists',
    )
    const made = await invite(owner, asked.email)
    const resent = await invite(owner, asked.email)
    const first = { token: tokenOf(made) }
    expect(await codeOf(await owner.post('/api/invitations/look', first))).toBe('link_over')
    await owner.ask(`/api/workspace/invitations/${resent.invitation.id}`, { method: 'DELETE' })
    const second = { token: tokenOf(resent) }
    expect(await codeOf(await owner.post('/api/invitations/look', second))).toBe('link_over')
  })

  test('takes no one in by the invitation of a person who may not invite any more', async () => {
    const owner = await newPerson(tessera, 'unlimited')
    const guests = [await newPerson(tessera), await newPerson(tessera), await newPerson(tessera)]
    const admins = [await newMember(owner, 'admin'), await newMember(owner, 'admin')]
    const tokens: string[] = []
    for (const [nth, admin] of [...admins, owner].entries())
      tokens.push(tokenOf(await invite(admin, guests[nth]?.email ?? '', 'admin')))
    const [removed, demoted] = admins
    await owner.ask(`/api/workspace/members/${removed?.id}`, { method: 'DELETE' })
    await owner.amend(`/api/workspace/members/${demoted?.id}`, { role: 'editor' })
    expect((await workspaceOf(owner)).invitations.length).toBe(1)
    const answers = await Promise.all(guests.map((guest, nth) => accept(guest, tokens[nth] ?? '')))
    expect(answers.map(({ status }) => status)).toEqual([410, 410, 200])
  })

  test('lets those above its plan look on, and its codes lead on', async () => {
    const owner = await newPerson(tessera, 'professional')
    const editor = await newMember(owner, 'editor')
    const { id } = await editor.code()
    await subscribe(owner, 'professional', 'canceled')
    expect((await editor.ask<QrCode[]>('/api/qr-codes')).map((code) => code.id)).toEqual([id])
    expect(await codeOf(await editor.patch(id, { name: 'Lunch' }))).toBe('people_over_plan')
    expect((await owner.patch(id, { name: 'Lunch' })).status).toBe(200)
  })

  test('gives a key no more than the role of its person now, and ends it with them', async () => {
    const owner = await newPerson(tessera, 'unlimited')
    const editor = await newMember(owner, 'editor')
    const program = await newProgram(editor)
    expect((await program.call('/api/qr-codes')).status).toBe(200)
    const change = { name: 'Menu', url: 'https://example.com/' }
    expect((await program.post('/api/qr-codes', change)).status).toBe(201)
    const elsewhere = await program.call(`/api/qr-codes?workspace=${editor.workspaceId}`)
    expect(await codeOf(elsewhere)).toBe('workspace_not_found')
    await owner.amend(`/api/workspace/members/${editor.id}`, { role: 'viewer' })
    expect(await codeOf(await program.post('/api/qr-codes', change))).toBe('role_forbids')
    expect((await program.call('/api/qr-codes')).status).toBe(200)
    const { members } = await workspaceOf(owner)
    expect(members[1]?.programs).toMatchObject([{ kind: 'key', name: 'Robot' }])
    await owner.ask(`/api/workspace/members/${editor.id}`, { method: 'DELETE' })
    expect(await codeOf(await program.call('/api/qr-codes'))).toBe('key_invalid')
    expect(await codeOf(await editor.call('/api/qr-codes'))).toBe('workspace_not_found')

    const admin = await newMember(owner, 'admin')
    const kept = await newProgram(admin)
    const end = `/api/workspace/members/${admin.id}?takeOver=true`
    expect(await codeOf(await admin.delete(end))).toBe('role_forbids')
    await owner.ask(end, { method: 'DELETE' })
    // The person still knows it, so the owner decides whether it goes on.
    expect(await codeOf(await kept.call('/api/qr-codes'))).toBe('key_paused')
    const [key] = await owner.ask<ApiKeyEntry[]>('/api/account/keys')
    await owner.make(`/api/account/keys/${key?.id}/resume`, {})
    expect((await kept.call('/api/qr-codes')).status).toBe(200)
  })

  test('shows the keys of others to those who manage it, and to no one else', async () => {
    const owner = await newPerson(tessera, 'unlimited')
    const [admin, editor] = [await newMember(owner, 'admin'), await newMember(owner, 'editor')]
    await newProgram(admin)
    await newProgram(editor)
    const keysOf = (person: Person) => person.ask<ApiKeyEntry[]>('/api/account/keys')
    const [own] = await keysOf(editor)
    const all = await keysOf(admin)
    const [other] = all.filter(({ id }) => id !== own?.id)
    expect([all.length, (await keysOf(editor)).length]).toEqual([2, 1])
    expect((await editor.delete(`/api/account/keys/${other?.id}`)).status).toBe(404)
    expect((await editor.post(`/api/account/keys/${other?.id}/resume`)).status).toBe(404)
    expect((await admin.delete(`/api/account/keys/${own?.id}`)).status).toBe(204)
    expect((await keysOf(owner)).length).toBe(1)
  })

  test('asks all members for a second step if its owner wants that', async () => {
    const owner = await newPerson(tessera, 'professional')
    const editor = await newMember(owner, 'editor')
    await owner.ask('/api/workspace/second-step', { method: 'PUT', body: { isDemanded: true } })
    expect(await codeOf(await editor.call('/api/qr-codes'))).toBe('second_step_needed')
    expect((await owner.call('/api/qr-codes')).status).toBe(200)
    expect((await workspaceOf(owner)).members.map(({ hasSecondStep }) => hasSecondStep)).toEqual([
      false,
      false,
    ])
    const { db } = tessera.database
    const readers = await Promise.all(
      [owner, editor].map(async ({ id: userId }) => {
        const session = await rowsWhere(db, 'sessions', { userId }).executeTakeFirstOrThrow()
        return { sessionId: session.id, workspaceId: owner.workspaceId }
      }),
    )
    const visitor = { sessionId: null, workspaceId: owner.workspaceId }
    expect([...(await livingReaders(db, readers))]).toEqual(readers.slice(0, 1))
    expect([...(await livingReaders(db, [visitor]))]).toEqual([visitor])
  })

  test('gets another owner, who accepts, and leaves the former one with a workspace of their own', async () => {
    const owner = await newPerson(tessera, 'professional')
    const heir = await newMember(owner, 'editor')
    const { id } = await owner.code()
    const offered = await owner.make<MadeInvitation>('/api/workspace/hand-over', {
      memberId: heir.id,
    })
    expect((await accept(heir, tokenOf(offered))).status).toBe(200)
    expect((await workspaceOf(heir)).members.map(({ role }) => role)).toEqual(['owner', 'admin'])
    expect((await heir.patch(id, { name: 'Lunch' })).status).toBe(200)
    expect(await owner.ask('/api/qr-codes')).toEqual([])
    const { workspaces } = await owner.ask<User>('/api/auth/user')
    expect(workspaces?.map(({ role, isOwn }) => [role, isOwn])).toEqual([
      ['owner', true],
      ['admin', false],
    ])
    const left = await owner.post(`/api/workspace/leave?workspace=${heir.at}`)
    expect(left.status).toBe(204)
    expect((await workspaceOf(heir)).members.length).toBe(1)
  })
})

describe.each(oneEngineInCi)('invitations by mail on %s', (engine) => {
  const mailed = Mailed.run(engine, { SIGN_UP: 'invited' })

  async function tokenMailedTo(email: string): Promise<string> {
    await expect.poll(() => mailed.mails.mailsTo(email).length).toBe(1)
    const [mail] = mailed.mails.mailsTo(email)
    return /link=invitation#([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
  }

  test('open an account where no other is opened, and prove its address', async () => {
    const { tessera } = mailed
    const owner = await newPerson(tessera, 'professional')
    const email = mailed.someEmail()
    const newcomer = new Person(tessera, email)
    const given = { email, name: 'Grace', password: 'correct horse battery' }
    expect(await codeOf(await newcomer.post('/api/auth/sign-up/email', given))).toBe(
      'sign_up_closed',
    )
    const made = await owner.make<MadeInvitation>('/api/workspace/invitations', {
      email,
      role: 'viewer',
    })
    expect(made.link).toBeNull()
    // A stranger who guesses the address has no link.
    expect(await codeOf(await newcomer.post('/api/auth/sign-up/email', given))).toBe(
      'sign_up_closed',
    )
    const token = await tokenMailedTo(email)
    const { email: _, ...rest } = given
    const joined = await newcomer.post('/api/invitations/join', { token, ...rest })
    expect(joined.status).toBe(200)
    await newcomer.signIn(given.password)
    expect((await newcomer.ask<User>('/api/auth/user')).emailVerified).toBe(true)
  })

  test('prove no address by a link that the inviter has seen', async () => {
    const { tessera, someEmail } = mailed
    const owner = await newPerson(tessera, 'professional')
    const newcomer = new Person(tessera, someEmail())
    const { email } = newcomer
    await owner.make('/api/workspace/invitations', { email, role: 'viewer' })
    const token = await tokenMailedTo(email)
    const { db } = tessera.database
    await updateWhere(db, 'invitations', { email }).set({ is_shown: 1 }).execute()
    const password = 'correct horse battery'
    await newcomer.post('/api/invitations/join', { token, name: 'Grace', password })
    await newcomer.signIn(password)
    expect((await newcomer.ask<User>('/api/auth/user')).emailVerified).toBe(false)
  })

  test('end after seven days', async () => {
    const owner = await newPerson(mailed.tessera, 'professional')
    const email = mailed.someEmail()
    await owner.make('/api/workspace/invitations', { email, role: 'viewer' })
    const token = await tokenMailedTo(email)
    mailed.tessera.clock.advance(7 * DAY_MS)
    expect(await codeOf(await owner.post('/api/invitations/look', { token }))).toBe('link_over')
  })
})
