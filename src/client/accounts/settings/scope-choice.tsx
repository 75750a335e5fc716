import { Radio, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { type KeyScope, keyScopes } from '#contract/integrations/api-keys.ts'

/** A program's rights, in lists. */
export const scopeText = { read: 'Read only', write: 'Read and write' }

const choiceText = {
  read: 'Read: see QR codes, their pictures, and their scans',
  write: 'Read and write: also create, change, and delete QR codes',
}

type Props = {
  label: string
  scopes?: readonly KeyScope[]
  value?: string
  error?: ReactNode
  onChange?: (scope: string) => void
}

/** Chooses what a program may do. */
export function ScopeChoice({ scopes = keyScopes, ...group }: Props) {
  return (
    <Radio.Group {...group}>
      <Stack gap="xs" mt={4}>
        {scopes.map((scope) => (
          <Radio key={scope} value={scope} label={choiceText[scope]} />
        ))}
      </Stack>
    </Radio.Group>
  )
}
