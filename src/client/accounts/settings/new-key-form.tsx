import { Input, SegmentedControl, Stack, TextInput } from '@mantine/core'
import { useId } from 'react'
import {
  KEY_NAME_MAX,
  type KeyScope,
  type MadeApiKey,
  newApiKey,
} from '#contract/integrations/api-keys.ts'
import { ChangeForm } from './change-form.tsx'
import { ScopeChoice } from './scope-choice.tsx'
import { provedJson } from './settings-calls.ts'

/** How long a new key can work. */
const lives = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: '', label: 'Never' },
]
const DEFAULT_DAYS = '90'

const initialValues: { name: string; scope: KeyScope; days: string } = {
  name: '',
  scope: 'read',
  days: DEFAULT_DAYS,
}

/** The form has its days as text. */
const schema = newApiKey.pick({ name: true, scope: true }).strip()

export function NewKeyForm({ onMade }: { onMade: (key: MadeApiKey) => void }) {
  const lifeId = useId()
  return (
    <ChangeForm
      schema={schema}
      initialValues={initialValues}
      call={({ days, ...key }) =>
        provedJson<MadeApiKey>('keys', { ...key, days: days ? Number(days) : null })
      }
      failed="Failed to create the key"
      show={onMade}
      button="Create key"
    >
      {(form) => (
        <>
          <TextInput
            label="Name"
            description="What is it for? Only you and the admins of this workspace can see this."
            placeholder="Label printer"
            maxLength={KEY_NAME_MAX}
            autoComplete="off"
            {...form.getInputProps('name')}
          />
          <ScopeChoice
            label="The key can"
            things="QR codes, domains, and webhooks"
            {...form.getInputProps('scope')}
          />
          <Stack gap={4} align="flex-start">
            <Input.Label id={lifeId} labelElement="div">
              Expires
            </Input.Label>
            <SegmentedControl
              aria-labelledby={lifeId}
              data={lives}
              value={form.values.days}
              onChange={(days) => form.setFieldValue('days', days)}
            />
          </Stack>
        </>
      )}
    </ChangeForm>
  )
}
