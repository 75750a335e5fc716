import {
  flag,
  instant,
  list,
  oneOf,
  ownId,
  plainText,
  text,
  textOrNull,
  time,
  whole,
  z,
} from '../zod.ts'
import { email, password, workspaceEntry } from './accounts.ts'
import { workspaceEvents } from './audit.ts'
import { roles } from './roles.ts'

/** Days that an invitation can be accepted */
export const INVITATION_DAYS = 7

/** The roles that a person can be invited to. The owner's goes from one to the next. */
export const givenRoles = ['admin', 'editor', 'viewer', 'billing'] as const
export type GivenRole = (typeof givenRoles)[number]

const workspaceName = plainText.min(1, 'Enter a name').max(60, 'Use up to 60 characters')

/** Body of POST /api/workspaces. */
export const newWorkspace = z.strictObject({ name: workspaceName })

/** A key or an app that a member has made, and that ends with the membership */
const program = z.strictObject({ id: z.string(), kind: z.enum(['key', 'app']), name: z.string() })

export const member = z.strictObject({
  id: text('The id of the person.'),
  name: text('Their name.'),
  email: text('Their email address.'),
  role: oneOf(roles, 'What they may do.'),
  since: time('Since when they are a member.'),
  isYou: flag('Whether it is you.'),
  hasSecondStep: flag('Whether they use two-step verification.'),
  programs: list(program, 'Their API keys and connected apps here; for owners and admins only.'),
})
export type Member = z.infer<typeof member>

export const invitation = z.strictObject({
  id: ownId,
  email: text('The address that is invited.'),
  role: oneOf(roles, 'The role that the person gets; owner to take the workspace over.'),
  endsAt: time('Until when it can be accepted.'),
})
export type Invitation = z.infer<typeof invitation>

/** GET /api/workspace. Only owners and admins get the invitations. */
export const workspace = workspaceEntry.extend({
  shownName: textOrNull('Whom visitors of paused codes can ask.'),
  shownContact: textOrNull('How they reach them.'),
  deletionAt: instant.nullable().describe('When it is deleted, if its owner asked for that.'),
  demandsSecondStep: flag('Whether every other member needs two-step verification.'),
  peopleMax: whole('How many people its plan has room for.'),
  members: list(member, 'The owner first.'),
  invitations: list(invitation, 'Newest first.'),
})
export type Workspace = z.infer<typeof workspace>

/** Characters of each text on paused and expired codes */
export const SHOWN_MAX = 80
/** A text with an address that a visitor could take for a link */
const LINK = /:\/\/|www\.|\.[a-z]{2,}\//i

/** A text for the visitors of paused and expired codes; empty to show nothing. */
const shownText = plainText
  .max(SHOWN_MAX, `Use at most ${SHOWN_MAX} characters`)
  .refine((text) => !LINK.test(text), 'Links can’t be shown here')

/** Body of PATCH /api/workspace; what is absent stays. */
export const workspaceChange = z
  .strictObject({
    name: workspaceName,
    shownName: shownText,
    shownContact: shownText,
  })
  .partial()
export type WorkspaceChange = z.infer<typeof workspaceChange>

/** Body of PUT /api/workspace/second-step. */
export const secondStepDemand = z.strictObject({ isDemanded: z.boolean() })

/** Body of POST /api/workspace/invitations. */
export const newInvitation = z.strictObject({ email, role: z.enum(givenRoles) })
export type NewInvitation = z.infer<typeof newInvitation>

/** The answer to an invitation, also of a known address. `link` is there without a mail server, for passing it on. */
export const madeInvitation = z.strictObject({ invitation, link: z.string().nullable() })
export type MadeInvitation = z.infer<typeof madeInvitation>

/** Body of PATCH /api/workspace/members/:memberId. */
export const roleChange = z.strictObject({ role: z.enum(givenRoles) })

/** Query of DELETE /api/workspace/members/:memberId: whether the owner gets the member's keys and apps. */
export const removal = z.object({ takeOver: z.stringbool().optional() })

/** Body of POST /api/workspace/hand-over. The member gets a mail, and accepts. */
export const handOver = z.strictObject({
  memberId: z.string(),
  password: z.string().min(1).optional(),
})

const token = z.string().min(1).max(100)

/** Body of POST /api/invitations/look and /accept. */
export const invitationToken = z.strictObject({ token })

/** The page of an invitation. `next`: join at once, log in as that address first, or make its account. */
export const shownInvitation = z.strictObject({
  workspace: z.string(),
  by: z.string(),
  email: z.string(),
  role: z.enum(roles),
  endsAt: instant,
  next: z.enum(['join', 'log-in', 'sign-up', 'other-account']),
})
export type ShownInvitation = z.infer<typeof shownInvitation>

/** Body of POST /api/invitations/join: a new person's account. */
export const joinAsNew = z.strictObject({
  token,
  name: plainText.min(1, 'Name is required').max(200, 'Name is too long'),
  password,
})
export type JoinAsNew = z.infer<typeof joinAsNew>

/** The answer to an acceptance: where to go on */
export const joined = z.strictObject({ workspaceId: z.string() })

/** Entries of GET /api/workspace/history, the newest */
export const EVENTS_SHOWN = 200

/** An entry of GET /api/workspace/history. */
export const workspaceEvent = z.strictObject({
  id: ownId,
  at: time('When.'),
  event: oneOf(workspaceEvents, 'What was done.'),
  by: textOrNull('Who did it, Tessera for the server itself; null once the account is gone.'),
  isYou: flag('Whether it was you.'),
  program: textOrNull('The key or app by which they did it.'),
  about: textOrNull('The name of what it was done to, if it is still there.'),
})
export type WorkspaceEvent = z.infer<typeof workspaceEvent>
