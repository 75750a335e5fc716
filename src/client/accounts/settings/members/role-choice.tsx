import { Radio, Stack } from '@mantine/core'
import { use } from 'react'
import { givenRoles } from '#contract/accounts/team.ts'
import { capitalized } from '../../../formats.ts'
import { roleWords } from '../../role-words.ts'
import { FormContext } from '../../sign-in/step-parts.tsx'

/** What a member may do, a field of the form around it */
export function RoleChoice() {
  return (
    <Radio.Group label="Role" {...use(FormContext).getInputProps('role')}>
      <Stack gap="xs" mt={4}>
        {givenRoles.map((role) => (
          <Radio key={role} value={role} label={capitalized(role)} description={roleWords[role]} />
        ))}
      </Stack>
    </Radio.Group>
  )
}
