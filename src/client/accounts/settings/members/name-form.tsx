import { type Workspace, workspaceChange } from '#contract/accounts/team.ts'
import { Section } from '../../../ui/section.tsx'
import { Field } from '../../sign-in/step-parts.tsx'
import { ChangeForm } from '../change-form.tsx'
import { saveWorkspace } from './workspace-calls.ts'

/** The name of the workspace. */
export function NameForm({ workspace }: { workspace: Workspace }) {
  return (
    <Section title="Name of the workspace" text="Its members see it.">
      <ChangeForm
        schema={workspaceChange}
        initialValues={{ name: workspace.name }}
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
