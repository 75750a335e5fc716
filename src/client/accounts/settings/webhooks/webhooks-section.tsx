import { Anchor, Text } from '@mantine/core'
import { useState } from 'react'
import { WEBHOOKS_MAX } from '#contract/integrations/webhook-values.ts'
import type { WebhookList } from '#contract/integrations/webhooks.ts'
import { LoadFailure } from '../../../ui/messages/failure-alert.tsx'
import { RowList } from '../../../ui/rows.tsx'
import { useSignedOut } from '../../../ui/sign-in-again.ts'
import { Spinner } from '../../../ui/spinner.tsx'
import { NotInPlan, Section } from '../section.tsx'
import { useWebhooks } from './webhook-calls.ts'
import { NewWebhookForm } from './webhook-form.tsx'
import { WebhookRow } from './webhook-row.tsx'

/** The servers that get the account's events. */
export function WebhooksSection() {
  const webhooks = useWebhooks()
  const [added, setAdded] = useState<string>()
  useSignedOut(webhooks.error)
  return (
    <>
      <Section
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
      >
        {webhooks.isPending && <Spinner label="Loading your webhooks" />}
        {webhooks.isError && <LoadFailure what="Your webhooks" reading={webhooks} />}
        {webhooks.data && <Webhooks {...webhooks.data} added={added} />}
      </Section>
      {webhooks.data?.isInPlan && (
        <Section title="New webhook">
          {webhooks.data.webhooks.length < WEBHOOKS_MAX ? (
            <NewWebhookForm onAdded={({ id }) => setAdded(id)} />
          ) : (
            <Text size="sm">
              You have {WEBHOOKS_MAX} webhooks, the most an account can have. Remove one to add
              another.
            </Text>
          )}
        </Section>
      )}
    </>
  )
}

function Webhooks({ isInPlan, webhooks, added }: WebhookList & { added: string | undefined }) {
  return (
    <>
      {!isInPlan && (
        <NotInPlan>
          {webhooks.length > 0
            ? 'Your webhooks are paused because they’re part of the Unlimited plan. Once you’re on it again, waiting events are sent.'
            : 'Webhooks are part of the Unlimited plan. Upgrade to add them here.'}
        </NotInPlan>
      )}
      <RowList entries={webhooks} none={isInPlan && 'You have no webhooks yet.'}>
        {(webhook) => (
          <WebhookRow
            // One that was just added begins with its secret.
            key={`${webhook.id} ${webhook.id === added}`}
            webhook={webhook}
            isInPlan={isInPlan}
            isNew={webhook.id === added}
          />
        )}
      </RowList>
    </>
  )
}
