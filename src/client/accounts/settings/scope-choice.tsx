import { Radio, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { type KeyScope, keyScopes } from '#contract/integrations/api-keys.ts'

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
  value?: string
  error?: ReactNode
  onChange?: (scope: string) => void
}

/** Chooses what a program may do. */
export function ScopeChoice({ scopes = keyScopes, things, ...group }: Props) {
  return (
    <Radio.Group {...group}>
      <Stack gap="xs" mt={4}>
        {scopes.map((scope) => (
          <Radio key={scope} value={scope} label={choiceText(scope, things)} />
        ))}
      </Stack>
    </Radio.Group>
  )
}
