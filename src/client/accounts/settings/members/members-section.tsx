import { Switch } from '@mantine/core'
import { DELETION_DAYS } from '#contract/accounts/account-settings.ts'
import { type Workspace, workspaceChange } from '#contract/accounts/team.ts'
import { peopleText } from '#contract/billing/plans.ts'
import { request } from '../../../api.ts'
import { Loaded } from '../../../ui/dialog/dialog.tsx'
import { Rows } from '../../../ui/rows.tsx'
import { Section } from '../../../ui/section.tsx'
import { isInOwn, useMay } from '../../../workspace.ts'
import { ChangeButton } from '../../change-button.tsx'
import { NewWorkspaceForm } from '../../new-workspace-form.tsx'
import { isOverPlan, useChange } from '../../queries.ts'
import { Field } from '../../sign-in/step-parts.tsx'
import { ChangeForm } from '../change-form.tsx'
import { Deletion } from '../deletion.tsx'
import { NotInPlan } from '../list-section.tsx'
import type { SectionProps } from '../sections.ts'
import { useFresh } from '../settings-calls.ts'
import { Invitations } from './invitations.tsx'
import { MemberRow } from './member-row.tsx'
import { saveWorkspace, WORKSPACE } from './workspace-calls.ts'
import { WorkspaceHistory } from './workspace-history.tsx'

const ALONE =
  'Invite people to work on these QR codes with you, each with their own login. Professional has room for 3 people, Unlimited for 25.'

/** The people of the page's workspace, and what belongs to all of them. */
export function MembersSection(props: SectionProps) {
  const workspace = useFresh<Workspace>(WORKSPACE)
  return (
    <>
      <Loaded query={workspace} what="The members">
        {(known) => <Team {...props} workspace={known} />}
      </Loaded>
      {!props.user.workspaces && (
        <Section
          title="New workspace"
          text="For another company or client, with its own QR codes, plan, and members. This one stays as it is."
        >
          <NewWorkspaceForm />
        </Section>
      )}
    </>
  )
}

function Team({ workspace, user, config }: SectionProps & { workspace: Workspace }) {
  const { name, role, members, peopleMax, invitations, deletionAt, demandsSecondStep } = workspace
  const mayManage = useMay('PATCH /api/workspace')
  const isOwner = role === 'owner'
  const isOwn = isInOwn(user)
  const room = isOverPlan(workspace)
    ? `The plan has room for ${peopleText(peopleMax)}. Until it has room for everyone, only the owner can make changes.`
    : `The plan has room for ${peopleText(peopleMax)}, open invitations included.`
  const isAlone = members.length === 1 && invitations.length === 0 && peopleMax === 1
  return (
    <>
      <Section title="Members" text={!isAlone && room}>
        {isAlone ? (
          <NotInPlan>{ALONE}</NotInPlan>
        ) : (
          <Rows>
            {members.map((member) => (
              <MemberRow key={member.id} member={member} role={role} />
            ))}
          </Rows>
        )}
      </Section>
      {mayManage && !isAlone && <Invitations workspace={workspace} />}
      {mayManage && !(isAlone && isOwn) && <NameForm name={name} />}
      {isOwner && !isAlone && (config.passwordLogin || demandsSecondStep) && (
        <SecondStep isDemanded={demandsSecondStep} />
      )}
      {mayManage && !isAlone && <WorkspaceHistory />}
      {isOwner && !isOwn && (
        <Deletion what="workspace" name={name} deletionAt={deletionAt}>
          {`Its QR codes keep working for ${DELETION_DAYS} days. After that, its codes, scans, and settings are gone for good, for all its members. Its plan won’t renew.`}
        </Deletion>
      )}
      {!isOwner && <Leave name={name} />}
    </>
  )
}

/** The name of the workspace. */
function NameForm({ name }: { name: string }) {
  return (
    <Section title="Workspace name" text="Everyone in the workspace sees it.">
      <ChangeForm
        schema={workspaceChange}
        initialValues={{ name }}
        stays
        call={saveWorkspace}
        done="Name saved"
        failed="Failed to save the name"
        button="Save name"
        variant="default"
      >
        <Field label="Name" autoComplete="organization" name="name" />
      </ChangeForm>
    </Section>
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
        label="Require two-step verification"
        description="Members who haven’t turned it on can’t use this workspace until they do."
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
