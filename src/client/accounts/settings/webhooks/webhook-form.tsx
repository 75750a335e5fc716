import { Checkbox, Stack, TextInput } from '@mantine/core'
import { webhookTypes } from '#contract/integrations/webhook-values.ts'
import { type NewWebhook, newWebhook } from '#contract/integrations/webhooks.ts'
import { ChangeForm, type FormProps } from '../change-form.tsx'
import { typeWords } from './webhook-words.ts'

type Props<Saved> = Omit<FormProps<NewWebhook, Saved>, 'schema' | 'children'>

/** The address to which events are sent, and which of them. */
export function WebhookForm<Saved>(props: Props<Saved>) {
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
