import { Text, TextInput } from '@mantine/core'
import type { ChangeEvent, FocusEvent, ReactNode } from 'react'
import { foldPath, hostOf } from '../links.ts'
import styles from './custom-path-field.module.css'

const HINT =
  'Leave empty to use auto-generated code. Only letters, numbers, hyphens, and underscores.'
const NOTE = 'Available for Professional and Unlimited subscribers'
const UPGRADE_HINT = 'Upgrade to Professional or Unlimited to use custom URLs.'

type Props = {
  allowed: boolean
  hostUrl: string
  value?: string
  error?: ReactNode
  onChange?: (value: string) => void
  onFocus?: (event: FocusEvent) => void
  onBlur?: (event: FocusEvent) => void
}

/** The path after /qr/. On a plan without custom paths it stands there disabled and says why. */
export function CustomPathField({ allowed, hostUrl, onChange, ...input }: Props) {
  const fold = (event: ChangeEvent<HTMLInputElement>) => onChange?.(foldPath(event.target.value))
  return (
    <TextInput
      {...input}
      label="Custom URL (Optional)"
      description={
        allowed ? (
          HINT
        ) : (
          <>
            <Text component="span" inherit display="block" fw={600}>
              {NOTE}
            </Text>
            {UPGRADE_HINT}
          </>
        )
      }
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      disabled={!allowed}
      onChange={fold}
      autoCapitalize="none"
      autoComplete="off"
      spellCheck={false}
      inputContainer={(field) => (
        <div className={styles.joined}>
          <span className={styles.prefix}>{hostOf(hostUrl)}/qr/</span>
          <div className={styles.field}>{field}</div>
        </div>
      )}
      classNames={{ input: styles.input }}
    />
  )
}
