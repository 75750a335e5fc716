import type { ReactNode } from 'react'
import { DELETION_DAYS } from '#contract/accounts/account-settings.ts'
import { request } from '../../api.ts'
import { formatDay } from '../../formats.ts'
import { Section } from '../../ui/section.tsx'
import { BAD } from '../../ui/theme/theme.ts'
import { RestoreButton, UNTIL_THEN } from '../account-notes.tsx'
import { ChangeButton } from '../change-button.tsx'
import { withProof } from './proof.tsx'

type Props = {
  what: 'account' | 'workspace'
  deletionAt: string | null
  /** As the question names it */
  name: string
  /** The consequences, in the question */
  children: ReactNode
}

/** Deletes an account or a workspace after some days, or keeps it until then. */
export function Deletion({ what, deletionAt, name, children }: Props) {
  if (deletionAt) {
    return (
      <Section title={`This ${what} will be deleted on ${formatDay(deletionAt)}`} text={UNTIL_THEN}>
        <RestoreButton what={what} />
      </Section>
    )
  }
  return (
    <Section
      title={`Delete ${what}`}
      text={`Its QR codes keep working for ${DELETION_DAYS} days, and you can change your mind until then.`}
    >
      <ChangeButton
        call={() => withProof((password) => request('POST', `/api/${what}/deletion`, { password }))}
        failed={`Failed to delete the ${what}`}
        question={{
          title: `Delete ${name}?`,
          text: children,
          stay: `Keep ${what}`,
          go: `Delete ${what}`,
        }}
        variant="filled"
        color={BAD}
      >
        {`Delete ${what}`}
      </ChangeButton>
    </Section>
  )
}
