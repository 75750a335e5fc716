import { Input, SegmentedControl, Stack, TextInput } from '@mantine/core'
import { useId } from 'react'
import {
  KEY_NAME_MAX,
  type KeyScope,
  type MadeApiKey,
  newApiKey,
} from '#contract/integrations/api-keys.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import form from '../../ui/form.module.css'
import { useSubmission } from '../sign-in/submission.ts'
import { ScopeChoice } from './scope-choice.tsx'
import { useMakeKey } from './settings-calls.ts'

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
  const make = useMakeKey(onMade)
  const { form: fields, onSubmit } = useSubmission({
    schema,
    initialValues,
    send: ({ days, ...key }) => make.mutateAsync({ ...key, days: days ? Number(days) : null }),
    onDone: (_answer, _body, sent) => sent.reset(),
  })
  const lifeId = useId()
  return (
    <form noValidate className={form.form} onSubmit={onSubmit}>
      <TextInput
        label="Name"
        description="What is it for? Only you can see this."
        placeholder="Label printer"
        maxLength={KEY_NAME_MAX}
        autoComplete="off"
        {...fields.getInputProps('name')}
      />
      <ScopeChoice
        label="The key can"
        things="QR codes, domains, and webhooks"
        {...fields.getInputProps('scope')}
      />
      <Stack gap={4} align="flex-start">
        <Input.Label id={lifeId} labelElement="div">
          Expires
        </Input.Label>
        <SegmentedControl
          aria-labelledby={lifeId}
          data={lives}
          value={fields.values.days}
          onChange={(days) => fields.setFieldValue('days', days)}
        />
      </Stack>
      <BusyButton type="submit" busy={make.isPending} busyText="Creating...">
        Create key
      </BusyButton>
    </form>
  )
}
