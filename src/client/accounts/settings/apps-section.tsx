import { Text } from '@mantine/core'
import type { ConnectedApp } from '#contract/integrations/connected-apps.ts'
import { plans } from '#contract/plans.ts'
import { formatDay, formatMoment } from '../../formats.ts'
import { RowButton } from '../../ui/busy-button.tsx'
import { Loaded } from '../../ui/dialog/dialog.tsx'
import { confirm } from '../../ui/messages/confirm-dialog.tsx'
import { Row, Rows } from '../../ui/rows.tsx'
import { AgentAddress } from './connect-agent.tsx'
import { NotInPlan, Section } from './section.tsx'
import type { SectionProps } from './sections.ts'
import { useApps, useDisconnectApp } from './settings-calls.ts'

/** The agents that work with the account, allowed by a click. */
export function AppsSection({ user }: SectionProps) {
  const apps = useApps()
  const { hasApi } = plans[user.subscriptionTier]
  return (
    <>
      <Section
        title="Connected apps"
        text="AI agents and other apps that you let work with your QR codes, without an API key."
      >
        <Loaded query={apps} what="Your apps">
          {(all) => (
            <>
              {!hasApi && (
                <NotInPlan>
                  {all.length > 0
                    ? 'Your apps are paused because they’re part of the Unlimited plan. They’ll work again as soon as you’re on it.'
                    : 'Connected apps are part of the Unlimited plan. Upgrade to connect one.'}
                </NotInPlan>
              )}
              {all.length > 0 && (
                <Rows>
                  {all.map((app) => (
                    <AppRow key={app.id} app={app} />
                  ))}
                </Rows>
              )}
              {all.length === 0 && hasApi && <Text size="sm">You have no connected apps yet.</Text>}
            </>
          )}
        </Loaded>
      </Section>
      {hasApi && (
        <Section
          title="Connect an AI agent"
          text="Add this address to an agent that supports MCP (Model Context Protocol). It opens Tessera in your browser, where you allow it to work with your QR codes."
        >
          <AgentAddress />
        </Section>
      )}
    </>
  )
}

const scopeText = { read: 'Read only', write: 'Read and write' }

function AppRow({ app }: { app: ConnectedApp }) {
  const { id, host, scope, madeAt, lastUsedAt } = app
  const name = app.name || host
  const disconnect = useDisconnectApp()
  const ask = () =>
    confirm({
      title: 'Disconnect this app?',
      text: `“${name}” stops working with your QR codes right away.`,
      stay: 'Keep it',
      go: 'Disconnect app',
      onGo: () => disconnect.mutate(id),
    })
  return (
    <Row
      title={<bdi>{name}</bdi>}
      lines={[
        `${host} · ${scopeText[scope]}`,
        `Connected ${formatDay(madeAt)} · ${lastUsedAt ? `Last used ${formatMoment(lastUsedAt)}` : 'Not used yet'}`,
      ]}
    >
      <RowButton
        aria-label={`Disconnect ${name}`}
        busy={disconnect.isPending}
        busyText="Disconnecting..."
        onClick={ask}
      >
        Disconnect
      </RowButton>
    </Row>
  )
}
