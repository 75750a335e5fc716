import type { FastifyRequest } from 'fastify'
import { workspaceEntry } from '#contract/accounts/accounts.ts'
import { hasRight, type Role } from '#contract/accounts/roles.ts'
import {
  handOver,
  type MadeInvitation,
  madeInvitation,
  newInvitation,
  newWorkspace,
  removal,
  roleChange,
  secondStepDemand,
  type Workspace,
  workspace,
  workspaceChange,
  workspaceEvent,
} from '#contract/accounts/team.ts'
import { idParams, z } from '#contract/zod.ts'
import { type Actor, serverFor, transactAs } from '../../actor.ts'
import type { PersonId, WorkspaceId } from '../../database/ids.ts'
import { rowsWhere } from '../../database/rows.ts'
import type { Tx } from '../../database/schema.ts'
import { iso } from '../../dates.ts'
import { AppError } from '../../http/errors.ts'
import { count } from '../../http/limits/counts-store.ts'
import {
  addMember,
  addWorkspace,
  changeWorkspace,
  deletionOf,
  nameOf,
  refuseInTooMany,
} from '../../memberships.ts'
import type { Api } from '../../room.ts'
import type { AccountDeps } from '../account-deps.ts'
import { changeAccount } from '../account-events.ts'
import { demandPasswordLogin } from '../passwords/password-rules.ts'
import { ownAccount } from '../users-store.ts'
import { listWorkspaceEvents } from './team-events.ts'
import { invitationLetter } from './team-letters.ts'
import {
  addInvitation,
  endInvitationsBy,
  membersOf,
  openInvitations,
  presentInvitation,
  programsOf,
  removeInvitation,
  removeMember,
} from './team-store.ts'

const memberParams = z.object({ memberId: z.string() })
const TOO_MANY = { message: 'You’ve sent all the invitations you can for now. Try again later.' }

/** A person's workspaces, and the members, invitations and history of the one in which they are. */
export async function teamRoutes(app: Api, deps: AccountDeps) {
  const { db, clock, record, entitlementsOf } = deps
  app.addHook('onRequest', deps.requireUser)

  const making = { schema: { body: newWorkspace, response: { 201: workspaceEntry } } }
  app.post('/api/workspaces', making, async ({ actor, body }, reply) => {
    const { personId: ownerId } = actor
    const id = await changeAccount(deps, actor, async ({ tx }) => {
      await refuseInTooMany(tx, ownerId)
      const id = await addWorkspace(tx, { ownerId, isOwn: false, name: body.name }, clock())
      await record(tx, serverFor(id, actor), 'workspace-made')
      return id
    })
    const made = { id, name: body.name, role: 'owner', isOwn: false } as const
    return reply.code(201).send({ ...made, subscriptionTier: 'free' })
  })

  const reading = { schema: { response: { 200: workspace } } }
  app.get('/api/workspace', reading, read)

  const changing = { schema: { body: workspaceChange, response: { 200: workspace } } }
  app.patch('/api/workspace', changing, async (request) => {
    const { actor, body } = request
    const id = actor.workspaceId
    await transactAs(db, actor, async (tx) => {
      const old = await rowsWhere(tx, 'workspaces', { id }).executeTakeFirstOrThrow()
      const { name = old.name, shownName = old.shown_name, shownContact = old.shown_contact } = body
      const changed = { name, shown_name: shownName || null, shown_contact: shownContact || null }
      await changeWorkspace(tx, id, changed)
      if (name !== old.name) await record(tx, actor, 'workspace-changed')
      const { shown_name, shown_contact } = changed
      if (shown_name !== old.shown_name || shown_contact !== old.shown_contact) {
        await record(tx, actor, 'contact-changed')
      }
    })
    return read(request)
  })

  const demanding = { schema: { body: secondStepDemand } }
  app.put('/api/workspace/second-step', demanding, async ({ actor, body }, reply) => {
    // Without passwords the provider asks for all steps.
    if (body.isDemanded) demandPasswordLogin(deps)
    await transactAs(db, actor, async (tx) => {
      const change = { demands_second_step: body.isDemanded ? 1 : 0 }
      await changeWorkspace(tx, actor.workspaceId, change)
      await record(tx, actor, 'second-step-demanded', String(body.isDemanded))
    })
    return reply.code(204).send()
  })

  const history = { schema: { response: { 200: z.array(workspaceEvent) } } }
  app.get('/api/workspace/history', history, ({ actor }) => listWorkspaceEvents(db, actor))

  const inviting = { schema: { body: newInvitation, response: { 201: madeInvitation } } }
  app.post('/api/workspace/invitations', inviting, async ({ actor, body }, reply) => {
    const made = await transactAs(db, actor, async (tx) => {
      const email = body.email.toLowerCase()
      const members = await membersOf(tx, actor.workspaceId)
      if (members.some((member) => member.email === email)) throw new AppError('member_exists')
      const { people } = await entitlementsOf(tx, actor.workspaceId)
      const open = await openInvitations(tx, actor.workspaceId, clock())
      // The next owner is a member already.
      const others = open.filter((each) => each.email !== email && each.role !== 'owner')
      if (members.length + others.length >= people) throw new AppError('workspace_full')
      return invite(tx, actor, { email, role: body.role })
    })
    return reply.code(201).send(made)
  })

  app.delete(
    '/api/workspace/invitations/:id',
    { schema: { params: idParams } },
    async ({ actor, params }, reply) => {
      await transactAs(db, actor, async (tx) => {
        const withdrawn = await removeInvitation(tx, actor.workspaceId, params.id)
        if (!withdrawn) throw new AppError('not_found')
        await record(tx, actor, 'invitation-withdrawn', withdrawn.email)
      })
      return reply.code(204).send()
    },
  )

  const giving = { schema: { params: memberParams, body: roleChange } }
  app.patch('/api/workspace/members/:memberId', giving, async ({ actor, params, body }, reply) => {
    await transactAs(db, actor, async (tx) => {
      const { workspaceId } = actor
      const personId = await otherThanOwner(tx, workspaceId, params.memberId)
      await addMember(tx, { workspaceId, personId, role: body.role }, clock())
      if (!hasRight(body.role, 'manage')) await endInvitationsBy(tx, { workspaceId, personId })
      await record(tx, actor, 'role-changed', personId)
    })
    return reply.code(204).send()
  })

  const removing = { schema: { params: memberParams, querystring: removal } }
  app.delete(
    '/api/workspace/members/:memberId',
    removing,
    async ({ actor, params, query }, reply) => {
      const by: Actor = query.takeOver ? { ...actor, right: 'own' } : actor
      await transactAs(db, by, async (tx) => {
        const { workspaceId } = actor
        const personId = await otherThanOwner(tx, workspaceId, params.memberId)
        const heir = query.takeOver ? actor.personId : undefined
        await removeMember(tx, { workspaceId, personId }, clock(), heir)
        await record(tx, actor, 'member-removed', personId)
      })
      return reply.code(204).send()
    },
  )

  app.post('/api/workspace/leave', async ({ actor }, reply) => {
    await transactAs(db, actor, async (tx) => {
      // The person may have taken it over since the call began.
      await otherThanOwner(tx, actor.workspaceId, actor.personId)
      await removeMember(tx, actor, clock())
      await record(tx, actor, 'member-left', actor.personId)
    })
    return reply.code(204).send()
  })

  const handing = { schema: { body: handOver, response: { 201: madeInvitation } } }
  app.post('/api/workspace/hand-over', handing, async (request, reply) => {
    const { actor, body } = request
    await deps.demandRecentProof(request, body.password)
    const made = await transactAs(db, actor, async (tx) => {
      const id = await otherThanOwner(tx, actor.workspaceId, body.memberId)
      const { email } = await ownAccount(tx, id)
      return invite(tx, actor, { email, role: 'owner' })
    })
    return reply.code(201).send(made)
  })

  async function read({ actor }: FastifyRequest): Promise<Workspace> {
    const { workspaceId, personId, role } = actor
    const [deletion, row, members, name] = await Promise.all([
      deletionOf(db, workspaceId),
      rowsWhere(db, 'workspaces', { id: workspaceId }).executeTakeFirstOrThrow(),
      membersOf(db, workspaceId),
      nameOf(db, workspaceId),
    ])
    const isManager = hasRight(role, 'manage')
    const [programs, invitations, { people, tier }] = await Promise.all([
      isManager ? programsOf(db, workspaceId) : new Map<PersonId, []>(),
      isManager ? openInvitations(db, workspaceId, clock()) : [],
      entitlementsOf(db, workspaceId),
    ])
    return {
      id: workspaceId,
      name,
      role,
      isOwn: row.is_own === 1 && role === 'owner',
      subscriptionTier: tier,
      shownName: row.shown_name,
      shownContact: row.shown_contact,
      deletionAt: iso(deletion?.due_at ?? null),
      demandsSecondStep: row.demands_second_step === 1,
      peopleMax: people,
      members: members.map(({ since, secondStepAt, ...member }) => ({
        ...member,
        since: iso(since),
        isYou: member.id === personId,
        hasSecondStep: secondStepAt !== null,
        programs: (programs.get(member.id) ?? []).map(({ program }) => program),
      })),
      invitations: invitations.map(presentInvitation),
    }
  }

  /** Makes an invitation and mails its link, which is in the answer where no mail leaves this server. */
  async function invite(
    tx: Tx,
    actor: Actor,
    { email, role }: { email: string; role: Role },
  ): Promise<MadeInvitation> {
    const { workspaceId, personId } = actor
    if (await deletionOf(tx, workspaceId)) throw new AppError('workspace_leaving')
    await count(tx, 'invitations', workspaceId, clock(), TOO_MANY)
    await count(tx, 'mails-to', `invitation ${workspaceId} ${email}`, clock(), TOO_MANY)
    const isShown = !deps.mailer.hasServer
    const invited = { workspaceId, email, role, invitedBy: personId, isShown }
    const { row, token } = await addInvitation(tx, invited, clock())
    const url = `${deps.publicUrl}/api/login?link=invitation#${token}`
    const { name: by } = await ownAccount(tx, personId)
    const workspace = await nameOf(tx, workspaceId)
    const letter = invitationLetter({ by, workspace, role, url })
    const lifeMs = row.ends_at - row.made_at
    await deps.mailer.queue(tx, { kind: 'invitation', to: email, letter, lifeMs })
    await record(tx, actor, role === 'owner' ? 'ownership-offered' : 'member-invited', email)
    return { invitation: presentInvitation(row), link: isShown ? url : null }
  }
}

/** The id of a member. @throws AppError not_found, or owner_stays for the owner */
async function otherThanOwner(tx: Tx, workspaceId: WorkspaceId, id: string): Promise<PersonId> {
  const place = { workspace_id: workspaceId, person_id: id as PersonId }
  const member = await rowsWhere(tx, 'members', place).executeTakeFirst()
  if (!member) throw new AppError('not_found')
  if (member.role === 'owner') throw new AppError('owner_stays')
  return member.person_id
}
