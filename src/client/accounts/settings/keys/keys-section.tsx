import { Anchor, Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { plans } from '#contract/plans.ts'
import type { ApiKeyEntry, MadeApiKey } from '#contract/programs/api-keys.ts'
import { KEYS_MAX } from '#contract/programs/api-keys.ts'
import { formatDay, formatMoment } from '../../../dates.ts'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { Loaded } from '../../../ui/dialog.tsx'
import form from '../../../ui/form.module.css'
import { confirm } from '../../../ui/messages/confirm-dialog.tsx'
import { Row, Rows } from '../../../ui/rows.tsx'
import { Section } from '../section.tsx'
import type { SectionProps } from '../sections.ts'
import { useKeys, useRevokeKey } from '../settings-calls.ts'
import { CopyButton, ShownOnce } from '../shown-once.tsx'
import { ConnectAgent } from './connect-agent.tsx'
import { NewKeyForm } from './new-key-form.tsx'

/** The keys of programs that act for the account. */
export function KeysSection({ user }: SectionProps) {
  const keys = useKeys()
  const [made, setMade] = useState<MadeApiKey | null>(null)
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
        <Loaded query={keys} what="Your keys">
          {(all) => (
            <>
              {!hasApi && <NotInPlan hasKeys={all.length > 0} />}
              {all.length > 0 && (
                <Rows>
                  {all.map((entry) => (
                    <KeyRow key={entry.id} entry={entry} />
                  ))}
                </Rows>
              )}
              {all.length === 0 && hasApi && <Text size="sm">You have no keys yet.</Text>}
            </>
          )}
        </Loaded>
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
      <ShownOnce
        title="Your new API key"
        shown={made}
        done="I have kept it"
        onClose={() => setMade(null)}
      >
        {({ key, scope }) => (
          <>
            <Text size="sm">
              Copy it now and keep it where you would keep a password: we show it only this once.
              Anybody who has it can {scope === 'write' ? 'see and change' : 'see'} your QR codes.
            </Text>
            <code className={form.copied}>{key}</code>
            <Group>
              <CopyButton text={key}>Copy key</CopyButton>
            </Group>
          </>
        )}
      </ShownOnce>
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
    <Row
      title={<bdi>{name}</bdi>}
      lines={[
        <>
          <code>{start}…</code>, {scopeText[scope]}
        </>,
        <>
          Made {formatDay(madeAt)}, {isOver ? 'ended' : 'ends'}{' '}
          {endsAt === null ? 'when you revoke it' : formatDay(endsAt)}.{' '}
          {lastUsedAt ? `Last used ${formatMoment(lastUsedAt)}.` : 'Not used yet.'}
        </>,
      ]}
    >
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
    </Row>
  )
}
