import { type KeyScope, keyScopes } from '#contract/integrations/api-keys.ts'
import { Choices } from '../../ui/choices.tsx'

/** A program's rights, in lists. */
export const scopeText = { read: 'Read only', write: 'Read and write' }

const choiceText = (scope: KeyScope, things: string) =>
  scope === 'read'
    ? 'Read: see QR codes, their pictures, and their scans'
    : `Read and write: also create, change, and delete ${things}`

type Props = {
  label: string
  /** The things that it may change, such as 'QR codes and domains' */
  things: string
  scopes?: readonly KeyScope[]
  value?: KeyScope
  onChange?: (scope: KeyScope) => void
}

/** Chooses what a program may do. */
export function ScopeChoice({ scopes = keyScopes, things, ...group }: Props) {
  const options = scopes.map((value) => ({ value, label: choiceText(value, things) }))
  return <Choices options={options} {...group} />
}
