import { Checkbox, Stack, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { type WebhookType, webhookTypes } from '#contract/programs/webhook-values.ts'
import {
  type MadeWebhook,
  type NewWebhook,
  newWebhook,
  type Webhook,
} from '#contract/programs/webhooks.ts'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { showFieldErrors } from '../../../ui/field-errors.ts'
import { focusFirstError } from '../../../ui/focus.ts'
import form from '../../../ui/form.module.css'
import { useAddWebhook, useChangeWebhook } from './webhook-calls.ts'
import { typeWords } from './webhook-words.ts'

const NEW: NewWebhook = { url: '', types: ['code.created', 'code.updated', 'code.deleted'] }

type NewProps = { onAdded: (webhook: MadeWebhook) => void }

/** Adds an address to which events are sent. */
export function NewWebhookForm({ onAdded }: NewProps) {
  return (
    <WebhookForm
      label="New webhook"
      initial={NEW}
      saving={useAddWebhook()}
      onSaved={onAdded}
      button={{ text: 'Add webhook', busyText: 'Adding...' }}
    />
  )
}

type ChangeProps = { webhook: Webhook; onChanged: () => void }

/** Another address, or other events. */
export function ChangeWebhookForm({ webhook, onChanged }: ChangeProps) {
  const { id, url, types } = webhook
  return (
    <WebhookForm
      label={`Change ${url}`}
      initial={{ url, types }}
      saving={useChangeWebhook(id, 'The webhook is changed')}
      onSaved={onChanged}
      button={{ text: 'Save changes', busyText: 'Saving...' }}
    />
  )
}

type Saving<Saved> = {
  isPending: boolean
  mutate: (
    values: NewWebhook,
    then: { onError: (error: unknown) => void; onSuccess: (saved: Saved) => void },
  ) => void
}

type Props<Saved> = {
  initial: NewWebhook
  saving: Saving<Saved>
  onSaved: (saved: Saved) => void
  label: string
  button: { text: string; busyText: string }
}

function WebhookForm<Saved>({ initial, saving, onSaved, label, button }: Props<Saved>) {
  const initialValues: { url: string; types: string[] } = initial
  const fields = useForm({ initialValues, validate: schemaResolver(newWebhook, { sync: true }) })
  const submit = ({ url, types }: typeof initialValues) =>
    saving.mutate(
      { url, types: types as WebhookType[] },
      {
        onError: (error) => showFieldErrors(fields, error),
        onSuccess: (saved) => {
          fields.reset()
          onSaved(saved)
        },
      },
    )
  return (
    <form
      noValidate
      aria-label={label}
      className={form.form}
      onSubmit={fields.onSubmit(submit, focusFirstError(fields))}
    >
      <TextInput
        type="url"
        label="Address"
        description="A server of yours, on the open internet, that takes POST requests."
        placeholder="https://example.com/tessera"
        autoComplete="off"
        key={fields.key('url')}
        {...fields.getInputProps('url')}
      />
      <Checkbox.Group label="Send an event when" {...fields.getInputProps('types')}>
        <Stack gap="xs" mt={4}>
          {webhookTypes.map((type) => (
            <Checkbox key={type} value={type} label={typeWords[type]} />
          ))}
        </Stack>
      </Checkbox.Group>
      <BusyButton type="submit" busy={saving.isPending} busyText={button.busyText}>
        {button.text}
      </BusyButton>
    </form>
  )
}
