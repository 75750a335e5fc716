import { Group, Text } from '@mantine/core'
import {
  INVITATION_DAYS,
  type Invitation,
  type MadeInvitation,
  type NewInvitation,
  newInvitation,
  type Workspace,
} from '#contract/accounts/team.ts'
import { request, requestJson } from '../../../api.ts'
import { capitalized, formatDay } from '../../../formats.ts'
import form from '../../../ui/form.module.css'
import { toast } from '../../../ui/messages/toast.tsx'
import { Row, RowList } from '../../../ui/rows.tsx'
import { Section } from '../../../ui/section.tsx'
import { RowChange } from '../../change-button.tsx'
import { Field } from '../../sign-in/step-parts.tsx'
import { ChangeForm } from '../change-form.tsx'
import { NotInPlan } from '../list-section.tsx'
import { CopyButton, showOnce } from '../shown-once.tsx'
import { RoleChoice } from './role-choice.tsx'
import { WORKSPACE } from './workspace-calls.ts'

const INVITATIONS = `${WORKSPACE}/invitations`

const initialValues: NewInvitation = { email: '', role: 'editor' }

/** Invites a person, in place of an earlier invitation of the same address. */
const invite = (body: NewInvitation) => requestJson<MadeInvitation>('POST', INVITATIONS, body)

/** Invites people, and lists the invitations that wait for an answer. */
export function Invitations({ workspace }: { workspace: Workspace }) {
  const { members, invitations, peopleMax } = workspace
  // A new owner is a member already.
  const invited = invitations.filter(({ role }) => role !== 'owner')
  const isFull = members.length + invited.length >= peopleMax
  return (
    <>
      <Section title="Invite someone">
        {isFull ? (
          <NotInPlan>
            The plan has no room for more people. Upgrade, or remove someone first.
          </NotInPlan>
        ) : (
          <ChangeForm
            schema={newInvitation}
            initialValues={initialValues}
            call={invite}
            show={showMade}
            failed="Failed to invite this person"
            label="Invite someone"
            button="Invite"
            busyText="Inviting..."
          >
            <Field label="Email" type="email" name="email" autoComplete="off" />
            <RoleChoice />
          </ChangeForm>
        )}
      </Section>
      {invitations.length > 0 && (
        <Section title="Invitations" text="Waiting for an answer.">
          <RowList entries={invitations}>
            {(one) => <InvitationRow key={one.id} invitation={one} />}
          </RowList>
        </Section>
      )}
    </>
  )
}

/** The link goes by mail, or by hand where no mail leaves this server. */
export function showMade({ invitation: { email }, link }: MadeInvitation) {
  if (!link) return toast.success(`We emailed ${email}`)
  showOnce({
    title: 'Your invitation link',
    done: 'Done',
    children: (
      <>
        <Text size="sm">
          This site can’t send email yet, so send this link to <b>{email}</b> yourself. It works
          once, for {INVITATION_DAYS} days. We won’t show it again.
        </Text>
        <code className={form.copied}>{link}</code>
        <Group>
          <CopyButton text={link}>Copy link</CopyButton>
        </Group>
      </>
    ),
  })
}

function InvitationRow({ invitation }: { invitation: Invitation }) {
  const { id, email, role, endsAt } = invitation
  return (
    <Row
      title={<bdi>{email}</bdi>}
      lines={[
        role === 'owner' ? 'To take over the workspace' : capitalized(role),
        `Expires on ${formatDay(endsAt)}`,
        <Group key="do" gap="xs" mt="xs">
          {role !== 'owner' && (
            <RowChange
              call={() => invite({ email, role })}
              show={showMade}
              failed="Failed to send the invitation"
              aria-label={`Send again to ${email}`}
            >
              Send again
            </RowChange>
          )}
          <RowChange
            call={() => request('DELETE', `${INVITATIONS}/${id}`)}
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
