import { Radio, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { givenRoles } from '#contract/accounts/team.ts'
import { roleWords } from '../../role-words.ts'

type Props = { value?: string; error?: ReactNode; onChange?: (role: string) => void }

/** Chooses what a member may do. */
export function RoleChoice(group: Props) {
  return (
    <Radio.Group label="Role" {...group}>
      <Stack gap="xs" mt={4}>
        {givenRoles.map((role) => (
          <Radio key={role} value={role} {...roleWords[role]} />
        ))}
      </Stack>
    </Radio.Group>
  )
}
