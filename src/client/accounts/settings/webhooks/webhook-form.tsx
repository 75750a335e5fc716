import { Checkbox, Stack, TextInput } from '@mantine/core'
import { webhookTypes } from '#contract/integrations/webhook-values.ts'
import {
  type MadeWebhook,
  type NewWebhook,
  newWebhook,
  type Webhook,
} from '#contract/integrations/webhooks.ts'
import { requestJson } from '../../../api.ts'
import { ChangeForm, type FormProps } from '../change-form.tsx'
import { changing, WEBHOOKS } from './webhook-calls.ts'
import { typeWords } from './webhook-words.ts'

const NEW: NewWebhook = { url: '', types: ['code.created', 'code.updated', 'code.deleted'] }

/** Adds an address to which events are sent. */
export function NewWebhookForm({ onAdded }: { onAdded: (webhook: MadeWebhook) => void }) {
  return (
    <WebhookForm
      label="New webhook"
      initialValues={NEW}
      call={(body) => requestJson<MadeWebhook>('POST', WEBHOOKS, body)}
      done="Webhook added"
      failed="Failed to add the webhook"
      onDone={onAdded}
      button="Create webhook"
    />
  )
}

type ChangeProps = { webhook: Webhook; onChanged: () => void }

/** Another address, or other events. */
export function ChangeWebhookForm({ webhook, onChanged }: ChangeProps) {
  const { id, url, types } = webhook
  return (
    <WebhookForm
      {...changing(id)}
      label={`Edit ${url}`}
      initialValues={{ url, types }}
      onDone={onChanged}
      button="Save changes"
    />
  )
}

type Props<Saved> = Omit<FormProps<NewWebhook, Saved>, 'schema' | 'children'>

function WebhookForm<Saved>(props: Props<Saved>) {
  return (
    <ChangeForm {...props} schema={newWebhook}>
      {(form) => (
        <>
          <TextInput
            type="url"
            label="URL"
            description="Your server’s address on the public internet. It gets POST requests."
            placeholder="https://example.com/tessera"
            autoComplete="off"
            {...form.getInputProps('url')}
          />
          <Checkbox.Group label="Send an event when" {...form.getInputProps('types')}>
            <Stack gap="xs" mt={4}>
              {webhookTypes.map((type) => (
                <Checkbox key={type} value={type} label={typeWords[type]} />
              ))}
            </Stack>
          </Checkbox.Group>
        </>
      )}
    </ChangeForm>
  )
}
