import { Anchor, Box, Group, Stack, Text } from '@mantine/core'
import { plans } from '#contract/billing/plans.ts'
import type { ApiKeyEntry, MadeApiKey } from '#contract/integrations/api-keys.ts'
import { KEYS_MAX } from '#contract/integrations/api-keys.ts'
import { formatDay, formatMoment } from '../../formats.ts'
import form from '../../ui/form.module.css'
import { PausedMark, ResumeButton } from '../../ui/paused-mark.tsx'
import { Row } from '../../ui/rows.tsx'
import { Section } from '../../ui/section.tsx'
import { RowChange } from '../change-button.tsx'
import { useChange, useConfig } from '../queries.ts'
import { AppsSection } from './apps-section.tsx'
import { ListSection, NewSection } from './list-section.tsx'
import { NewKeyForm } from './new-key-form.tsx'
import { scopeText } from './scope-choice.tsx'
import type { SectionProps } from './sections.ts'
import { proved, remove, useFresh } from './settings-calls.ts'
import { CopyButton, showOnce } from './shown-once.tsx'

const NOT_IN_PLAN = {
  some: 'Keys and connected apps are paused because the API is part of the Unlimited plan. They’ll work again as soon as you’re on it.',
  none: 'The API is part of the Unlimited plan. Upgrade to create keys here.',
}
const FULL = `There are ${KEYS_MAX} keys, the most a workspace can have. Revoke one to create another.`

/** The keys of programs that act for the account. */
export function KeysSection({ user }: SectionProps) {
  const keys = useFresh<ApiKeyEntry[]>('/api/account/keys')
  const { hasApi } = plans[user.subscriptionTier]
  return (
    <>
      <ListSection
        title="API keys"
        text={
          <>
            Let your own programs work with your QR codes. See what they can do in the{' '}
            <Anchor href="/api/docs" inherit underline="always">
              API docs
            </Anchor>
            .
          </>
        }
        what="Your keys"
        query={keys}
        entries={keys.data}
        none="You have no keys yet."
        row={(entry) => <KeyRow key={entry.id} entry={entry} />}
        notInPlan={!hasApi && NOT_IN_PLAN}
      />
      {keys.data && hasApi && (
        <>
          <NewSection title="New key" full={keys.data.length >= KEYS_MAX && FULL}>
            <NewKeyForm onMade={showKey} />
          </NewSection>
          <Section
            title="Connect an AI agent"
            text="An agent that supports MCP (Model Context Protocol) can list, create, change, and draw your QR codes, check that they scan, organize them by tags and designs, and read and share their analytics."
          >
            <ConnectAgent />
          </Section>
        </>
      )}
      <AppsSection />
    </>
  )
}

const showKey = ({ key, scope }: MadeApiKey) =>
  showOnce({
    title: 'Your new API key',
    done: 'I’ve saved it',
    children: (
      <>
        <Text size="sm">
          Copy it now and store it like a password. We won’t show it again. Anyone who has it can{' '}
          {scope === 'write' ? 'see and change' : 'see'} your QR codes.
        </Text>
        <code className={form.copied}>{key}</code>
        <Group>
          <CopyButton text={key}>Copy key</CopyButton>
        </Group>
      </>
    ),
  })

const isOver = (endsAt: string | null) => endsAt !== null && new Date(endsAt) <= new Date()

/** When a key stops working. */
function expiryText(endsAt: string | null): string {
  if (endsAt === null) return 'Never expires'
  return `${isOver(endsAt) ? 'Expired' : 'Expires'} ${formatDay(endsAt)}`
}

function KeyRow({ entry }: { entry: ApiKeyEntry }) {
  const { id, name, scope, start, madeAt, endsAt, lastUsedAt, pausedAt } = entry
  const isPaused = pausedAt !== null && !isOver(endsAt)
  const lines = [
    <>
      <code>{start}…</code> · {scopeText[scope]}
    </>,
    <>
      Created {formatDay(madeAt)} · {expiryText(endsAt)} ·{' '}
      {lastUsedAt ? `Last used ${formatMoment(lastUsedAt)}` : 'Not used yet'}
    </>,
  ]
  if (isPaused) lines.push(<PausedKey id={id} name={name} />)
  return (
    <Row
      title={
        <>
          <bdi>{name}</bdi>&ensp;{isPaused && <PausedMark />}
        </>
      }
      lines={lines}
    >
      <RowChange
        call={() => remove(`keys/${id}`)}
        done="Key revoked"
        failed="Failed to revoke the key"
        question={{
          title: 'Revoke this key?',
          text: `Programs that use “${name}” stop working right away. You can’t undo this.`,
          go: 'Revoke key',
        }}
        aria-label={`Revoke ${name}`}
      >
        Revoke
      </RowChange>
    </Row>
  )
}

/** Why a key is paused, and how to turn it on again. */
function PausedKey({ id, name }: Pick<ApiKeyEntry, 'id' | 'name'>) {
  const resume = useChange({
    call: () => proved(`keys/${id}/resume`),
    done: 'Key turned on again',
    failed: 'Failed to turn on the key',
  })
  return (
    <Stack gap="xs" mt="xs" align="flex-start" c="var(--text)">
      We paused this key because the person who made it left, or because we restored a backup, which
      can bring back revoked keys. Turn it on again if you still need it.
      <ResumeButton name={name} isBusy={resume.isPending} onClick={() => resume.mutate()} />
    </Stack>
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
        Most agents need only the address: you allow them in your browser. For others, use the
        settings, and replace <code>{KEY}</code> with one of your keys. With a read-only key, the
        agent can’t change anything.
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
