import type { WorkspaceEntry } from '#contract/accounts/accounts.ts'
import { newWorkspace } from '#contract/accounts/team.ts'
import { requestJson } from '../api.ts'
import { addressIn } from '../workspace.ts'
import { ChangeForm } from './settings/change-form.tsx'
import { Field } from './sign-in/step-parts.tsx'

/** Makes a workspace and goes to its plans: it begins on the free one. */
export function NewWorkspaceForm() {
  return (
    <ChangeForm
      schema={newWorkspace}
      initialValues={{ name: '' }}
      call={(body) => requestJson<WorkspaceEntry>('POST', '/api/workspaces', body)}
      onDone={(made) => window.location.assign(addressIn(made, '/subscription'))}
      failed="Failed to create the workspace"
      label="New workspace"
      button="Create workspace"
      variant="default"
    >
      <Field label="Name" placeholder="Café Luna" autoComplete="organization" name="name" />
    </ChangeForm>
  )
}
