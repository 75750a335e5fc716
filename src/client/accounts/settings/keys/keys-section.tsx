import { Anchor, Button, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { plans } from '#contract/plans.ts'
import type { ApiKeyEntry, MadeApiKey } from '#contract/programs/api-keys.ts'
import { KEYS_MAX } from '#contract/programs/api-keys.ts'
import { formatDay, formatMoment } from '../../../dates.ts'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { confirm } from '../../../ui/messages/confirm-dialog.tsx'
import { LoadFailure } from '../../../ui/messages/failure-alert.tsx'
import { useSignedOut } from '../../../ui/sign-in-again.ts'
import { Spinner } from '../../../ui/spinner.tsx'
import styles from '../list.module.css'
import { Section } from '../section.tsx'
import type { SectionProps } from '../sections.ts'
import { useKeys, useRevokeKey } from '../settings-calls.ts'
import { ConnectAgent } from './connect-agent.tsx'
import { NewKeyDialog } from './new-key-dialog.tsx'
import { NewKeyForm } from './new-key-form.tsx'

/** The keys of programs that act for the account. */
export function KeysSection({ user }: SectionProps) {
  const keys = useKeys()
  const [made, setMade] = useState<MadeApiKey | null>(null)
  useSignedOut(keys.error)
  const { hasApi } = plans[user.subscriptionTier]
  return (
    <>
      <Section
        title="API keys"
        text={
          <>
            With a key, a program of yours can work with your QR codes without a browser. What it
            can do is in the{' '}
            <Anchor href="/api/docs" inherit underline="always">
              API docs
            </Anchor>
            .
          </>
        }
      >
        {keys.isPending && <Spinner label="Loading your keys" />}
        {keys.isError && <LoadFailure what="Your keys" error={keys.error} onRetry={keys.refetch} />}
        {keys.data && !hasApi && <NotInPlan hasKeys={keys.data.length > 0} />}
        {keys.data && keys.data.length > 0 && (
          <ul className={styles.list}>
            {keys.data.map((entry) => (
              <KeyRow key={entry.id} entry={entry} />
            ))}
          </ul>
        )}
        {keys.data?.length === 0 && hasApi && <Text size="sm">You have no keys yet.</Text>}
      </Section>
      {keys.data && hasApi && (
        <Section title="New key">
          {keys.data.length < KEYS_MAX ? (
            <NewKeyForm onMade={setMade} />
          ) : (
            <Text size="sm">
              You have {KEYS_MAX} keys, as many as an account can have. Revoke one to make another.
            </Text>
          )}
        </Section>
      )}
      {keys.data && hasApi && (
        <Section
          title="Connect an agent"
          text="An AI agent that speaks MCP (Model Context Protocol) can list, make, change and draw your QR codes, check that they can be scanned, and read their scans."
        >
          <ConnectAgent />
        </Section>
      )}
      <NewKeyDialog made={made} onClose={() => setMade(null)} />
    </>
  )
}

function NotInPlan({ hasKeys }: { hasKeys: boolean }) {
  return (
    <>
      <Text size="sm">
        {hasKeys
          ? 'Your keys are resting: the API is part of the Unlimited plan. They work again as soon as you are on it.'
          : 'The API is part of the Unlimited plan. Choose it, and you can make keys here.'}
      </Text>
      <Button component={Link} href="/subscription" size="sm">
        See the plans
      </Button>
    </>
  )
}

const scopeText = { read: 'reads only', write: 'reads and changes' }

function KeyRow({ entry }: { entry: ApiKeyEntry }) {
  const { id, name, scope, start, madeAt, endsAt, lastUsedAt } = entry
  const revoke = useRevokeKey()
  const isOver = endsAt !== null && new Date(endsAt) <= new Date()
  const ask = () =>
    confirm({
      title: 'Revoke this key?',
      text: `Programs that use “${name}” are refused from this moment on. It cannot be undone.`,
      stay: 'Keep it',
      go: 'Revoke key',
      onGo: () => revoke.mutate(id),
    })
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <Text fw={600}>
          <bdi>{name}</bdi>
        </Text>
        <Text size="sm" c="dimmed">
          <code>{start}…</code>, {scopeText[scope]}
        </Text>
        <Text size="sm" c="dimmed">
          Made {formatDay(madeAt)}, {isOver ? 'ended' : 'ends'}{' '}
          {endsAt === null ? 'when you revoke it' : formatDay(endsAt)}.{' '}
          {lastUsedAt ? `Last used ${formatMoment(lastUsedAt)}.` : 'Not used yet.'}
        </Text>
      </div>
      <BusyButton
        variant="default"
        size="xs"
        aria-label={`Revoke ${name}`}
        busy={revoke.isPending}
        busyText="Revoking..."
        onClick={ask}
      >
        Revoke
      </BusyButton>
    </li>
  )
}
