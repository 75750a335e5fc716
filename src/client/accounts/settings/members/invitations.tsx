import { Group, Text } from '@mantine/core'
import {
  INVITATION_DAYS,
  type Invitation,
  type MadeInvitation,
  type NewInvitation,
  newInvitation,
  type Workspace,
} from '#contract/accounts/team.ts'
import { request } from '../../../api.ts'
import { formatDay } from '../../../formats.ts'
import form from '../../../ui/form.module.css'
import { toast } from '../../../ui/messages/toast.tsx'
import { Row, RowList } from '../../../ui/rows.tsx'
import { Section } from '../../../ui/section.tsx'
import { RowChange } from '../../change-button.tsx'
import { roleWords } from '../../role-words.ts'
import { Field } from '../../sign-in/step-parts.tsx'
import { ChangeForm } from '../change-form.tsx'
import { NewSection } from '../list-section.tsx'
import { CopyButton, ShownOnce } from '../shown-once.tsx'
import { RoleChoice } from './role-choice.tsx'
import { invite, WORKSPACE } from './workspace-calls.ts'

const FULL_PLAN = 'The plan has no room for more people. Upgrade, or remove someone first.'

const initialValues: NewInvitation = { email: '', role: 'editor' }

type Props = {
  workspace: Workspace
  /** Says how an invitation reaches its person. */
  show: (made: MadeInvitation) => void
}

/** Invites people, and lists the invitations that wait for an answer. */
export function Invitations({ workspace, show }: Props) {
  const { members, invitations, peopleMax } = workspace
  // A new owner is a member already.
  const invited = invitations.filter(({ role }) => role !== 'owner')
  const isFull = members.length + invited.length >= peopleMax
  return (
    <>
      <NewSection title="Invite someone" full={isFull && FULL_PLAN}>
        <ChangeForm
          schema={newInvitation}
          initialValues={initialValues}
          call={invite}
          show={show}
          failed="Failed to invite this person"
          label="Invite someone"
          button="Invite"
          busyText="Inviting..."
        >
          {({ getInputProps }) => (
            <>
              <Field label="Email" type="email" name="email" autoComplete="off" />
              <RoleChoice {...getInputProps('role')} />
            </>
          )}
        </ChangeForm>
      </NewSection>
      {invitations.length > 0 && (
        <Section title="Invitations" text="They wait for an answer.">
          <RowList entries={invitations}>
            {(one) => <InvitationRow key={one.id} invitation={one} show={show} />}
          </RowList>
        </Section>
      )}
    </>
  )
}

/** The link goes by mail, or by hand where no mail leaves this server. */
export function showMade(made: MadeInvitation, byHand: (made: MadeInvitation) => void): void {
  if (made.link) byHand(made)
  else toast.success(`We emailed ${made.invitation.email}`)
}

type LinkProps = { made: MadeInvitation | null; onClose: () => void }

/** A link to pass on. */
export function InvitationLink({ made, onClose }: LinkProps) {
  return (
    <ShownOnce title="Your invitation link" shown={made} done="Done" onClose={onClose}>
      {({ invitation, link }) => (
        <>
          <Text size="sm">
            This site can’t send email yet, so send this link to <b>{invitation.email}</b> yourself.
            It works once, for {INVITATION_DAYS} days. We won’t show it again.
          </Text>
          <code className={form.copied}>{link}</code>
          <Group>
            <CopyButton text={link ?? ''}>Copy link</CopyButton>
          </Group>
        </>
      )}
    </ShownOnce>
  )
}

type RowProps = Pick<Props, 'show'> & { invitation: Invitation }

function InvitationRow({ invitation, show }: RowProps) {
  const { id, email, role, endsAt } = invitation
  return (
    <Row
      title={<bdi>{email}</bdi>}
      lines={[
        role === 'owner' ? 'To take the workspace over' : roleWords[role].label,
        `Open until ${formatDay(endsAt)}`,
        <Group key="do" gap="xs" mt="xs">
          {role !== 'owner' && (
            <RowChange
              call={() => invite({ email, role })}
              show={show}
              failed="Failed to send the invitation"
              aria-label={`Send again to ${email}`}
            >
              Send again
            </RowChange>
          )}
          <RowChange
            call={() => request('DELETE', `${WORKSPACE}/invitations/${id}`)}
            done="Invitation withdrawn"
            failed="Failed to withdraw the invitation"
            aria-label={`Withdraw the invitation of ${email}`}
          >
            Withdraw
          </RowChange>
        </Group>,
      ]}
    />
  )
}
