import { Switch } from '@mantine/core'
import { useState } from 'react'
import type { MadeInvitation, Workspace } from '#contract/accounts/team.ts'
import { peopleText } from '#contract/billing/plans.ts'
import { request } from '../../../api.ts'
import { Loaded } from '../../../ui/dialog/dialog.tsx'
import { Rows } from '../../../ui/rows.tsx'
import { Section } from '../../../ui/section.tsx'
import { isInOwn, useMay } from '../../../workspace.ts'
import { ChangeButton } from '../../change-button.tsx'
import { NewWorkspaceForm } from '../../new-workspace-form.tsx'
import { useChange } from '../../queries.ts'
import { NotInPlan } from '../list-section.tsx'
import type { SectionProps } from '../sections.ts'
import { useFresh } from '../settings-calls.ts'
import { DeleteWorkspace } from './delete-workspace.tsx'
import { InvitationLink, Invitations, showMade } from './invitations.tsx'
import { MemberRow } from './member-row.tsx'
import { NameForm } from './name-form.tsx'
import { WORKSPACE } from './workspace-calls.ts'
import { WorkspaceHistory } from './workspace-history.tsx'

const ALONE =
  'Invite people to work on these QR codes with you, each with their own login. Professional has room for 3 people, Unlimited for 25.'

/** The people of the page's workspace, and what belongs to all of them. */
export function MembersSection({ user }: SectionProps) {
  const workspace = useFresh<Workspace>(WORKSPACE)
  return (
    <>
      <Loaded query={workspace} what="The members">
        {(known) => <Team workspace={known} isOwn={isInOwn(user)} />}
      </Loaded>
      {!user.workspaces && (
        <Section
          title="New workspace"
          text="QR codes, a plan, and members of their own, such as for another company. Yours stays as it is."
        >
          <NewWorkspaceForm />
        </Section>
      )}
    </>
  )
}

type Props = { workspace: Workspace; isOwn: boolean }

function Team({ workspace, isOwn }: Props) {
  const { role, members, peopleMax, invitations } = workspace
  const mayManage = useMay('PATCH /api/workspace')
  const [made, setMade] = useState<MadeInvitation | null>(null)
  const show = (answer: MadeInvitation) => showMade(answer, setMade)
  const isAlone = members.length === 1 && invitations.length === 0
  const ending =
    role === 'owner' ? (
      !isOwn && <DeleteWorkspace workspace={workspace} />
    ) : (
      <Leave name={workspace.name} />
    )
  if (isAlone && peopleMax === 1) {
    return (
      <>
        <Section title="Members">
          <NotInPlan>{ALONE}</NotInPlan>
        </Section>
        {ending}
      </>
    )
  }
  return (
    <>
      <Section
        title="Members"
        text={`The plan has room for ${peopleText(peopleMax)}, open invitations included.`}
      >
        <Rows>
          {members.map((member) => (
            <MemberRow key={member.id} member={member} role={role} show={show} />
          ))}
        </Rows>
      </Section>
      {mayManage && <Invitations workspace={workspace} show={show} />}
      {mayManage && <NameForm workspace={workspace} />}
      {role === 'owner' && <SecondStep isDemanded={workspace.demandsSecondStep} />}
      {mayManage && <WorkspaceHistory />}
      {ending}
      <InvitationLink made={made} onClose={() => setMade(null)} />
    </>
  )
}

/** Whether each member needs a second step to log in. */
function SecondStep({ isDemanded }: { isDemanded: boolean }) {
  const change = useChange({
    call: (next: boolean) => request('PUT', `${WORKSPACE}/second-step`, { isDemanded: next }),
    failed: 'Failed to save your choice',
  })
  return (
    <Section title="How members log in">
      <Switch
        label="Every member needs two-step verification"
        description="An authenticator app or a passkey. Without one, they can’t use this workspace."
        checked={change.isPending ? change.variables : isDemanded}
        onChange={(event) => change.mutate(event.currentTarget.checked)}
      />
    </Section>
  )
}

function Leave({ name }: { name: string }) {
  return (
    <Section
      title="Leave this workspace"
      text="What you made here stays. Your API keys and connected apps here stop working."
    >
      <ChangeButton
        call={() => request('POST', `${WORKSPACE}/leave`)}
        onDone={() => window.location.assign('/dashboard')}
        failed="Failed to leave the workspace"
        question={{
          title: `Leave ${name}?`,
          text: 'You can come back only if you’re invited again.',
          stay: 'Stay',
          go: 'Leave workspace',
        }}
      >
        Leave workspace
      </ChangeButton>
    </Section>
  )
}
