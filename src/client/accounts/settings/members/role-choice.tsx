import { use } from 'react'
import { givenRoles } from '#contract/accounts/team.ts'
import { choicesOf } from '../../../formats.ts'
import { Choices } from '../../../ui/choices.tsx'
import { roleWords } from '../../role-words.ts'
import { FormContext } from '../../sign-in/step-parts.tsx'

const options = choicesOf(givenRoles).map((role) => ({
  ...role,
  description: roleWords[role.value],
}))

/** The role of a member, a field of the form around it */
export function RoleChoice() {
  return <Choices label="Role" options={options} {...use(FormContext).getInputProps('role')} />
}
