import { Checkbox, Stack, TextInput } from '@mantine/core'
import { type WebhookType, webhookTypes } from '#contract/integrations/webhook-values.ts'
import {
  type MadeWebhook,
  type NewWebhook,
  newWebhook,
  type Webhook,
} from '#contract/integrations/webhooks.ts'
import { BusyButton } from '../../../ui/busy-button.tsx'
import form from '../../../ui/form.module.css'
import { useSubmission } from '../../sign-in/submission.ts'
import { useAddWebhook, useChangeWebhook } from './webhook-calls.ts'
import { typeWords } from './webhook-words.ts'

const NEW: NewWebhook = { url: '', types: ['code.created', 'code.updated', 'code.deleted'] }

/** Adds an address to which events are sent. */
export function NewWebhookForm({ onAdded }: { onAdded: (webhook: MadeWebhook) => void }) {
  return (
    <WebhookForm
      label="New webhook"
      initial={NEW}
      saving={useAddWebhook()}
      onSaved={onAdded}
      button={{ text: 'Create webhook', busyText: 'Creating...' }}
    />
  )
}

type ChangeProps = { webhook: Webhook; onChanged: () => void }

/** Another address, or other events. */
export function ChangeWebhookForm({ webhook, onChanged }: ChangeProps) {
  const { id, url, types } = webhook
  return (
    <WebhookForm
      label={`Edit ${url}`}
      initial={{ url, types }}
      saving={useChangeWebhook(id, 'Webhook changed')}
      onSaved={onChanged}
      button={{ text: 'Save changes', busyText: 'Saving...' }}
    />
  )
}

type Props<Saved> = {
  initial: NewWebhook
  saving: { isPending: boolean; mutateAsync: (values: NewWebhook) => Promise<Saved> }
  onSaved: (saved: Saved) => void
  label: string
  button: { text: string; busyText: string }
}

function WebhookForm<Saved>({ initial, saving, onSaved, label, button }: Props<Saved>) {
  const initialValues: { url: string; types: string[] } = initial
  const { form: fields, onSubmit } = useSubmission({
    schema: newWebhook,
    initialValues,
    send: ({ url, types }) => saving.mutateAsync({ url, types: types as WebhookType[] }),
    onDone: (saved, _body, sent) => {
      sent.reset()
      onSaved(saved)
    },
  })
  return (
    <form noValidate aria-label={label} className={form.form} onSubmit={onSubmit}>
      <TextInput
        type="url"
        label="URL"
        description="Your server’s address on the public internet. It gets POST requests."
        placeholder="https://example.com/tessera"
        autoComplete="off"
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
