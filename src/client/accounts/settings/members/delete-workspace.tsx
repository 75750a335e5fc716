import { DELETION_DAYS } from '#contract/accounts/account-settings.ts'
import type { Workspace } from '#contract/accounts/team.ts'
import { request } from '../../../api.ts'
import { formatDay } from '../../../formats.ts'
import { Section } from '../../../ui/section.tsx'
import { ChangeButton } from '../../change-button.tsx'
import { withProof } from '../proof.tsx'
import { WORKSPACE } from './workspace-calls.ts'

const PATH = `${WORKSPACE}/deletion`
const KEEPS = `Its QR codes keep working for ${DELETION_DAYS} days, and you can change your mind until then.`

/** Deletes a workspace beside the owner's own one, or keeps it. */
export function DeleteWorkspace({ workspace }: { workspace: Workspace }) {
  const { name, deletionAt } = workspace
  if (deletionAt) {
    return (
      <Section title={`This workspace will be deleted on ${formatDay(deletionAt)}`}>
        <ChangeButton
          call={() => request('DELETE', PATH)}
          done="Workspace restored"
          failed="Failed to restore the workspace"
          variant="filled"
        >
          Restore workspace
        </ChangeButton>
      </Section>
    )
  }
  return (
    <Section title="Delete this workspace" text={KEEPS}>
      <ChangeButton
        call={() => withProof((password) => request('POST', PATH, { password }))}
        failed="Failed to delete the workspace"
        question={{
          title: `Delete ${name}?`,
          text: `${KEEPS} Then its codes, scans, and settings are deleted for good, for all its members. Its plan won’t renew.`,
          stay: 'Keep it',
          go: 'Delete workspace',
        }}
      >
        Delete workspace
      </ChangeButton>
    </Section>
  )
}
