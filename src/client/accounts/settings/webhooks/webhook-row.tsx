import { Box, Group, Stack, Text } from '@mantine/core'
import { useId, useState } from 'react'
import { OVERLAP_HOURS } from '#contract/integrations/webhook-values.ts'
import type { Webhook, WebhookChange, WebhookSecret } from '#contract/integrations/webhooks.ts'
import { request } from '../../../api.ts'
import { formatMoment } from '../../../formats.ts'
import form from '../../../ui/form.module.css'
import { LoadFailure } from '../../../ui/messages/failure-alert.tsx'
import { PlainButton } from '../../../ui/plain-button.tsx'
import { Quiet } from '../../../ui/quiet.tsx'
import rows from '../../../ui/rows.module.css'
import { Spinner } from '../../../ui/spinner.tsx'
import { RowChange } from '../../change-button.tsx'
import styles from '../settings.module.css'
import { useFresh } from '../settings-calls.ts'
import { CopyButton } from '../shown-once.tsx'
import { Deliveries, WEBHOOKS } from './deliveries.tsx'
import { WebhookForm } from './webhook-form.tsx'
import { stateWords } from './webhook-words.ts'

type Part = 'secret' | 'deliveries' | 'change'

type Props = { webhook: Webhook; isInPlan: boolean; isNew: boolean }

/** A webhook, with what its owner can do. */
export function WebhookRow({ webhook, isInPlan, isNew }: Props) {
  const { id, url, types, isOn } = webhook
  // A new one begins with its secret, which its owner needs next.
  const [part, setPart] = useState<Part | null>(isNew ? 'secret' : null)
  const partId = useId()
  const change = {
    call: (change: WebhookChange) => request('PATCH', `${WEBHOOKS}/${id}`, change),
    done: 'Webhook changed',
    failed: 'Failed to change the webhook',
  }
  const opener = (name: Part, label: string) => (
    <PlainButton
      size="xs"
      aria-expanded={part === name}
      aria-controls={partId}
      onClick={() => setPart(part === name ? null : name)}
    >
      {label}
    </PlainButton>
  )
  return (
    <li>
      <Text fw={600} className={rows.words}>
        <bdi>{url}</bdi>
      </Text>
      <Quiet>{types.join(', ')}</Quiet>
      <Text
        size="sm"
        c={isOn && !webhook.failingSince ? 'dimmed' : undefined}
        fw={webhook.failingSince ? 600 : undefined}
      >
        {isInPlan ? stateWords(webhook) : 'Paused until you’re on the Unlimited plan again.'}
      </Text>
      <Group gap="xs" mt="xs">
        {opener('deliveries', 'Events')}
        {opener('secret', 'Secret')}
        {isInPlan && opener('change', 'Edit')}
        {isInPlan && isOn && (
          <RowChange
            call={() => request('POST', `${WEBHOOKS}/${id}/test`)}
            done="Test on its way. Its response shows below."
            failed="Failed to send a test"
            onDone={() => setPart('deliveries')}
          >
            Send test
          </RowChange>
        )}
        {(isInPlan || isOn) && (
          <RowChange
            {...change}
            call={() => change.call({ isOn: !isOn })}
            done={isOn ? 'Webhook turned off' : 'Webhook turned on'}
            busyText="Saving..."
          >
            {isOn ? 'Turn off' : 'Turn on'}
          </RowChange>
        )}
        <RowChange
          call={() => request('DELETE', `${WEBHOOKS}/${id}`)}
          done="Webhook removed"
          failed="Failed to remove the webhook"
          question={{
            title: 'Remove this webhook?',
            text: `We’ll stop sending events to ${url}, and its past events are removed. You can’t undo this.`,
            go: 'Remove webhook',
          }}
        >
          Remove
        </RowChange>
      </Group>
      <Box id={partId} mt="sm" className={styles.box}>
        {part === 'secret' && <Secret id={id} isInPlan={isInPlan} />}
        {part === 'change' && isInPlan && (
          <WebhookForm
            {...change}
            label={`Edit ${url}`}
            initialValues={{ url, types }}
            onDone={() => setPart(null)}
            button="Save changes"
          />
        )}
        {part === 'deliveries' && <Deliveries id={id} canSend={isInPlan && isOn} />}
      </Box>
    </li>
  )
}

/** Shows the secret that signs events, and makes another one. */
function Secret({ id, isInPlan }: { id: string; isInPlan: boolean }) {
  const secret = useFresh<WebhookSecret>(`${WEBHOOKS}/${id}/secret`)
  if (secret.isPending) return <Spinner label="Loading the secret" />
  if (secret.isError) return <LoadFailure what="The secret" reading={secret} />
  const { secret: text, formerUntil } = secret.data
  return (
    <Stack gap="xs" align="flex-start">
      <Text size="sm">
        Your server uses it to check that an event is new and from us, following Standard Webhooks.
        Store it like a password.
      </Text>
      <Box component="code" p="8px 12px" className={form.copied}>
        {text}
      </Box>
      {formerUntil && (
        <Text size="sm">The previous secret works too, until {formatMoment(formerUntil)}.</Text>
      )}
      <Group gap="xs">
        <CopyButton text={text}>Copy secret</CopyButton>
        {isInPlan && (
          <RowChange
            call={() => request('POST', `${WEBHOOKS}/${id}/secret`)}
            done="New secret created"
            failed="Failed to create a new secret"
            question={{
              title: 'Create a new secret?',
              text: `For ${OVERLAP_HOURS} hours we’ll sign events with both secrets, so you can update your server without losing any. Then the old one stops working.`,
              stay: 'Keep this one',
              go: 'Create new secret',
              grave: false,
            }}
            busyText="Creating..."
          >
            New secret
          </RowChange>
        )}
      </Group>
    </Stack>
  )
}
