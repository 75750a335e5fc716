import { Checkbox, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { type WebhookType, webhookTypes } from '#contract/webhook-values.ts'
import type { MadeWebhook } from '#contract/webhooks.ts'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { showErrors } from '../form-errors.ts'
import form from '../settings-form.module.css'
import { useAddWebhook } from './webhook-calls.ts'
import { typeWords } from './webhook-words.ts'

const initialValues: { url: string; types: string[] } = {
  ...{ url: '', types: ['code.created', 'code.updated', 'code.deleted'] },
}

/** Adds an address that is told of events. */
export function WebhookForm({ onAdded }: { onAdded: (webhook: MadeWebhook) => void }) {
  const fields = useForm({ initialValues })
  const add = useAddWebhook()
  const submit = ({ url, types }: typeof initialValues) =>
    add.mutate(
      { url, types: types as WebhookType[] },
      {
        onError: showErrors(fields),
        onSuccess: (webhook) => {
          fields.reset()
          onAdded(webhook)
        },
      },
    )
  return (
    <form noValidate className={form.form} onSubmit={fields.onSubmit(submit)}>
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
      <BusyButton type="submit" busy={add.isPending} busyText="Adding...">
        Add webhook
      </BusyButton>
    </form>
  )
}
