import { SHOWN_MAX } from '#contract/account-settings.ts'
import { type Workspace, workspaceChange } from '#contract/team.ts'
import { Section } from '../../../ui/section.tsx'
import { Field } from '../../sign-in/step-parts.tsx'
import { ChangeForm } from '../change-form.tsx'
import { saveWorkspace } from './workspace-calls.ts'

type Props = {
  workspace: Workspace
  /** One's own has its contact beside one's name. */
  isOwn: boolean
}

/** What the workspace is called, for its members and for people who scan its codes. */
export function NamesForm({ workspace, isOwn }: Props) {
  const { name, shownName, shownContact } = workspace
  const contact = { shownName: shownName ?? '', shownContact: shownContact ?? '' }
  return (
    <Section title="Workspace">
      <ChangeForm
        schema={workspaceChange}
        initialValues={isOwn ? { name } : { name, ...contact }}
        stays
        call={saveWorkspace}
        done="Workspace saved"
        failed="Failed to save the workspace"
        button="Save workspace"
        variant="default"
      >
        <Field label="Name" description="Its members see it." name="name" />
        {!isOwn && (
          <>
            <Field
              label="Name to show"
              description="People who scan a paused or expired code see it."
              maxLength={SHOWN_MAX}
              autoComplete="off"
              name="shownName"
            />
            <Field
              label="Contact to show"
              description="An email address or a phone number, as plain text."
              maxLength={SHOWN_MAX}
              autoComplete="off"
              name="shownContact"
            />
          </>
        )}
      </ChangeForm>
    </Section>
  )
}
