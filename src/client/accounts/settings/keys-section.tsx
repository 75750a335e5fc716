import { Anchor, Box, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { ApiKeyEntry, MadeApiKey } from '#contract/integrations/api-keys.ts'
import { KEYS_MAX } from '#contract/integrations/api-keys.ts'
import { plans } from '#contract/plans.ts'
import { formatDay, formatMoment } from '../../formats.ts'
import { RowButton } from '../../ui/busy-button.tsx'
import { Loaded } from '../../ui/dialog/dialog.tsx'
import form from '../../ui/form.module.css'
import { confirm } from '../../ui/messages/confirm-dialog.tsx'
import { Row, Rows } from '../../ui/rows.tsx'
import { useConfig } from '../queries.ts'
import { NewKeyForm } from './new-key-form.tsx'
import { NotInPlan, Section } from './section.tsx'
import type { SectionProps } from './sections.ts'
import { useKeys, useRevokeKey } from './settings-calls.ts'
import { CopyButton, ShownOnce } from './shown-once.tsx'

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
              {!hasApi && (
                <NotInPlan>
                  {all.length > 0
                    ? 'Your keys are resting: the API is part of the Unlimited plan. They work again as soon as you are on it.'
                    : 'The API is part of the Unlimited plan. Choose it, and you can make keys here.'}
                </NotInPlan>
              )}
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
      <RowButton
        aria-label={`Revoke ${name}`}
        busy={revoke.isPending}
        busyText="Revoking..."
        onClick={ask}
      >
        Revoke
      </RowButton>
    </Row>
  )
}

/** The place of the key in the copied settings. */
const KEY = 'YOUR_API_KEY'

/** The address and the settings that connect an AI agent to the account. */
function ConnectAgent() {
  const { data } = useConfig()
  if (!data) return null
  const url = `${data.hostUrl}/api/mcp`
  return (
    <Stack align="flex-start" w="100%">
      <Snippet label="Address" copy="Copy address" text={url} />
      <Snippet
        label="Settings file (mcp.json)"
        copy="Copy settings"
        text={JSON.stringify({ mcpServers: { tessera: serverAt(url) } }, null, 2)}
      />
      <Text size="sm">
        Put a key of yours in place of <code>{KEY}</code>. With one that only reads, the agent
        changes nothing.
      </Text>
    </Stack>
  )
}

const serverAt = (url: string) => ({
  type: 'http',
  url,
  headers: { Authorization: `Bearer ${KEY}` },
})

function Snippet({ label, copy, text }: { label: string; copy: string; text: string }) {
  return (
    <Box w="100%">
      <Group justify="space-between" gap="xs" mb={4}>
        <Text size="sm" fw={500}>
          {label}
        </Text>
        <CopyButton text={text}>{copy}</CopyButton>
      </Group>
      <pre className={form.copied}>{text}</pre>
    </Box>
  )
}
