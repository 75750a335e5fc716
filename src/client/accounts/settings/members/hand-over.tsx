import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { handOver, type MadeInvitation, type Workspace } from '#contract/team.ts'
import { Section } from '../../../ui/section.tsx'
import { ChangeForm } from '../change-form.tsx'
import { InvitationLink, showMade } from './invitations.tsx'
import { offerTo } from './workspace-calls.ts'

/** Gives the workspace to another member. */
export function HandOver({ workspace }: { workspace: Workspace }) {
  const [made, setMade] = useState<MadeInvitation | null>(null)
  const others = workspace.members.filter(({ isYou }) => !isYou)
  return (
    <Section
      title="Hand over this workspace"
      text="Another member becomes its owner. They get an email, accept, and pay with their own card. From then on you’re an admin, and we no longer charge you for it."
    >
      <ChangeForm
        schema={handOver}
        initialValues={{ memberId: others[0]?.id ?? '' }}
        call={({ memberId }) => offerTo(memberId)}
        show={(answer) => showMade(answer, setMade)}
        failed="Failed to offer the workspace"
        button="Hand over"
        busyText="Offering..."
        variant="default"
      >
        {({ getInputProps }) => (
          <NativeSelect
            label="New owner"
            data={others.map(({ id, name }) => ({ value: id, label: name }))}
            {...getInputProps('memberId')}
          />
        )}
      </ChangeForm>
      <InvitationLink made={made} onClose={() => setMade(null)} />
    </Section>
  )
}
