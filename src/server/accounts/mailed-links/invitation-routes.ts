import { invitationToken, joinAsNew, joined, shownInvitation } from '#contract/accounts/team.ts'
import { checkedActor, lockWorkspace, type PersonActor, sessionOf } from '../../actor.ts'
import type { PersonId, WorkspaceId } from '../../database/ids.ts'
import { deleteWhere, rowsWhere } from '../../database/rows.ts'
import type { Tx } from '../../database/schema.ts'
import { transact } from '../../database/transact.ts'
import { AppError } from '../../http/errors.ts'
import { count } from '../../http/limits/counts-store.ts'
import { clientAddress } from '../../http/policy/client-address.ts'
import {
  addMember,
  addWorkspace,
  changeWorkspace,
  deletionOf,
  nameOf,
  refuseInTooMany,
  workspacesOwnedBy,
} from '../../memberships.ts'
import type { Api } from '../../room.ts'
import { type Change, changeAccount } from '../account-events.ts'
import { originOf } from '../origin.ts'
import { demandPasswordLogin, refuseWeakPassword } from '../passwords/password-rules.ts'
import { proveLocked } from '../proof/address-proof.ts'
import type { SignInMethodDeps } from '../proof/owner-proof.ts'
import { type InvitationRow, invitationBy, membersOf } from '../team/team-store.ts'
import { createAccount, findAccount } from '../users-store.ts'

export type InvitationDeps = SignInMethodDeps & {
  /** Keeps what the former owner has paid to its end, and charges them no more. */
  takeOverPlan: (tx: Tx, workspaceId: WorkspaceId) => Promise<void>
  /** Tells that the payment provider, after the commit. It does not throw. */
  endFormer: () => Promise<void>
}

/** Invitations, for the people who get them: the link alone says what it is for. */
export async function invitationRoutes(app: Api, deps: InvitationDeps) {
  const { db, clock, config, hashing, signIns, sessions } = deps

  const looking = { schema: { body: invitationToken, response: { 200: shownInvitation } } }
  app.post('/api/invitations/look', looking, async (request, reply) => {
    await count(db, 'link-uses', clientAddress(request), clock())
    const invitation = await invitationBy(db, request.body.token, clock())
    const { workspace_id: workspaceId, email, role, invited_by, ends_at } = invitation
    const [by, name, session, account] = await Promise.all([
      findAccount(db, { id: invited_by }),
      nameOf(db, workspaceId),
      sessions.current(request, reply),
      findAccount(db, { email }),
    ])
    if (!by) throw new AppError('link_over')
    if (!account && config.signUp === 'closed') throw new AppError('sign_up_closed')
    const signedIn = session && (session.userId === account?.id ? 'join' : 'other-account')
    const signedOut = account || !config.passwordLogin ? 'log-in' : 'sign-up'
    return {
      workspace: name,
      by: by.name,
      email,
      role,
      endsAt: new Date(ends_at).toISOString(),
      next: signedIn || signedOut,
    } as const
  })

  const accepting = {
    onRequest: deps.requireUser,
    schema: { body: invitationToken, response: { 200: joined } },
  }
  app.post('/api/invitations/accept', accepting, async (request) => {
    const { actor, body } = request
    const found = await invitationBy(db, body.token, clock())
    const { workspace_id: workspaceId, role, is_shown } = found
    const owned = await workspacesOwnedBy(db, actor.personId)
    const change = async ({ tx, account: { email } }: Change) => {
      if (found.email !== email) throw new AppError('other_account')
      // The link came to this address, unless the inviter passes it on.
      if (is_shown === 0) {
        const provedBy = { sessionId: sessionOf(request)?.id, providerId: 'credential' }
        await proveLocked(deps, tx, actor, provedBy)
      }
      await accept(tx, body.token, actor, email)
    }
    await changeAccount(deps, actor, change, [workspaceId, ...owned])
    if (role === 'owner') deps.later.run(deps.endFormer)
    return { workspaceId }
  })

  const joining = {
    config: { origin: 'public' },
    schema: { body: joinAsNew, response: { 200: joined } },
  } as const
  app.post('/api/invitations/join', joining, async (request, reply) => {
    demandPasswordLogin(deps)
    if (config.signUp === 'closed') throw new AppError('sign_up_closed')
    const { token, name, password } = request.body
    await count(db, 'sign-ups', clientAddress(request), clock())
    const invitation = await invitationBy(db, token, clock())
    const { email, workspace_id: workspaceId, is_shown } = invitation
    await refuseWeakPassword(password, { email, name })
    const hash = await hashing.hash(request, password)
    const given = { email, name, emailVerified: is_shown === 0, credential: { password: hash } }
    const account = await transact(db, async (tx) => {
      await lockWorkspace(tx, workspaceId)
      const account = await createAccount(tx, given, clock())
      const by = checkedActor(account.id, originOf(request))
      await deps.record(tx, by, 'signed-up')
      await accept(tx, token, by, email)
      return account
    })
    await signIns.complete(request, reply, { account, method: 'sign-up', passwordHash: hash })
    return { workspaceId }
  })

  /**
   * Uses an invitation up. Call it under the locks of its workspace and of the person.
   * @throws AppError link_over, member_exists, workspace_full, workspaces_full, account_leaving
   */
  async function accept(tx: Tx, token: string, by: PersonActor, email: string) {
    // Another call may have used it.
    const invitation = await invitationBy(tx, token, clock())
    const { id, workspace_id: workspaceId, role } = invitation
    if ((await deletionOf(tx, workspaceId)) || invitation.email !== email) {
      throw new AppError('link_over')
    }
    await deleteWhere(tx, 'invitations', { id }).execute()
    if (role === 'owner') await takeOver(tx, invitation, by.personId)
    else await join(tx, invitation, by.personId)
    const event = role === 'owner' ? 'ownership-taken' : 'member-joined'
    await deps.record(tx, { ...by, workspaceId, role, right: 'belong' }, event, by.personId)
  }

  async function join(tx: Tx, { workspace_id: workspaceId, role }: InvitationRow, who: PersonId) {
    const members = await membersOf(tx, workspaceId)
    if (members.some(({ id }) => id === who)) throw new AppError('member_exists')
    const { people } = await deps.entitlementsOf(tx, workspaceId)
    if (members.length >= people) throw new AppError('workspace_full')
    await refuseInTooMany(tx, who)
    await addMember(tx, { workspaceId, personId: who, role }, clock())
  }

  /** Makes a member the owner. Each of the two has a workspace of their own afterwards. */
  async function takeOver(
    tx: Tx,
    { workspace_id: id, invited_by: from }: InvitationRow,
    to: PersonId,
  ) {
    const place = { workspace_id: id, person_id: to }
    const isMember = await rowsWhere(tx, 'members', place).executeTakeFirst()
    if (!isMember) throw new AppError('link_over')
    const leaving = rowsWhere(tx, 'deletions', { user_id: to })
    if (await leaving.executeTakeFirst()) throw new AppError('account_leaving')
    const row = await rowsWhere(tx, 'workspaces', { id }).executeTakeFirstOrThrow()
    const taken = { owner_id: to, is_own: 0, name: await nameOf(tx, id) }
    await changeWorkspace(tx, id, taken)
    await addMember(tx, { workspaceId: id, personId: from, role: 'admin' }, clock())
    await addMember(tx, { workspaceId: id, personId: to, role: 'owner' }, clock())
    await deleteWhere(tx, 'invitations', { workspace_id: id, role: 'owner' }).execute()
    await deps.stopFigureMails(tx, id)
    await deps.takeOverPlan(tx, id)
    if (row.is_own === 1) await addWorkspace(tx, { ownerId: from, isOwn: true }, clock())
  }
}
