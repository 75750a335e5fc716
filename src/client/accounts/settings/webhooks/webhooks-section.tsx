import { Anchor } from '@mantine/core'
import { useState } from 'react'
import { WEBHOOKS_MAX } from '#contract/integrations/webhook-values.ts'
import type { MadeWebhook, NewWebhook, WebhookList } from '#contract/integrations/webhooks.ts'
import { requestJson } from '../../../api.ts'
import { ListSection, NewSection } from '../list-section.tsx'
import { useFresh } from '../settings-calls.ts'
import { WEBHOOKS } from './deliveries.tsx'
import { WebhookForm } from './webhook-form.tsx'
import { WebhookRow } from './webhook-row.tsx'

const NEW: NewWebhook = { url: '', types: ['code.created', 'code.updated', 'code.deleted'] }
const NOT_IN_PLAN = {
  some: 'Your webhooks are paused because they’re part of the Unlimited plan. Once you’re on it again, waiting events are sent.',
  none: 'Webhooks are part of the Unlimited plan. Upgrade to add them here.',
}
const FULL = `There are ${WEBHOOKS_MAX} webhooks, the most a workspace can have. Remove one to add another.`

/** The servers that get the account's events. */
export function WebhooksSection() {
  const list = useFresh<WebhookList>(WEBHOOKS)
  const [added, setAdded] = useState<string>()
  const { isInPlan = false, webhooks = [] } = list.data ?? {}
  return (
    <>
      <ListSection
        title="Webhooks"
        text={
          <>
            When something happens, we send your server a signed request that follows{' '}
            <Anchor href="https://www.standardwebhooks.com" inherit underline="always">
              Standard Webhooks
            </Anchor>
            . We try failed deliveries again for three days.
          </>
        }
        what="Your webhooks"
        query={list}
        entries={list.data?.webhooks}
        none="You have no webhooks yet."
        row={(webhook) => (
          <WebhookRow
            // One that was just added begins with its secret.
            key={`${webhook.id} ${webhook.id === added}`}
            webhook={webhook}
            isInPlan={isInPlan}
            isNew={webhook.id === added}
          />
        )}
        notInPlan={!isInPlan && NOT_IN_PLAN}
      />
      {isInPlan && (
        <NewSection title="New webhook" full={webhooks.length >= WEBHOOKS_MAX && FULL}>
          <WebhookForm
            label="New webhook"
            initialValues={NEW}
            call={(body) => requestJson<MadeWebhook>('POST', WEBHOOKS, body)}
            done="Webhook added"
            failed="Failed to add the webhook"
            onDone={({ id }) => setAdded(id)}
            button="Create webhook"
          />
        </NewSection>
      )}
    </>
  )
}
