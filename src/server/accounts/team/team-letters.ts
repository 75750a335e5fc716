import type { Role } from '#contract/accounts/roles.ts'
import { INVITATION_DAYS } from '#contract/accounts/team.ts'
import { type Letter, unlinked } from '../../mail/mail-template.ts'

type Invited = { by: string; workspace: string; role: Role; url: string }

/** Goes to an address that may have no account. */
export function invitationLetter({ by, workspace, role, url }: Invited): Letter {
  const [who, where] = [unlinked(by), unlinked(workspace)]
  const isHandOver = role === 'owner'
  return {
    subject: isHandOver ? `${who} hands “${where}” over to you` : `${who} invites you to Tessera`,
    paragraphs: [
      isHandOver
        ? `${who} wants you to own the workspace “${where}”. Once you accept, you decide about its members, and its plan is paid with your card.`
        : `${who} invites you to “${where}” on Tessera. Your role there: ${role}.`,
    ],
    button: { label: isHandOver ? 'Look at it' : 'Join', url },
    notes: [
      `The link works once, for ${INVITATION_DAYS} days. If you don’t know who this is, ignore this email.`,
    ],
  }
}
