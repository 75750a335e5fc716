import { Anchor } from '@mantine/core'
import type { ConnectedApp } from '#contract/integrations/connected-apps.ts'
import { formatDay, formatMoment } from '../../formats.ts'
import { Loaded } from '../../ui/dialog/dialog.tsx'
import { Row, RowList } from '../../ui/rows.tsx'
import { RowChange } from '../change-button.tsx'
import { scopeText } from './scope-choice.tsx'
import { Section } from './section.tsx'
import { remove, useApps } from './settings-calls.ts'

/** The agents that work with the account, allowed by a click. */
export function AppsSection() {
  return (
    <Section
      title="Connected apps"
      text={
        <>
          AI agents and other apps that you let work with your QR codes, without an API key. See how
          to{' '}
          <Anchor href="/api/integrations" inherit underline="always">
            connect one
          </Anchor>
          .
        </>
      }
    >
      <Loaded query={useApps()} what="Your apps">
        {(all) => (
          <RowList entries={all} none="You have no connected apps yet.">
            {(app) => <AppRow key={app.id} app={app} />}
          </RowList>
        )}
      </Loaded>
    </Section>
  )
}

function AppRow({ app }: { app: ConnectedApp }) {
  const { id, host, scope, madeAt, lastUsedAt } = app
  const name = app.name || host
  const used = lastUsedAt ? `Last used ${formatMoment(lastUsedAt)}` : 'Not used yet'
  return (
    <Row
      title={name}
      lines={[`${host} · ${scopeText[scope]}`, `Connected ${formatDay(madeAt)} · ${used}`]}
    >
      <RowChange
        call={() => remove(`apps/${id}`)}
        done="App disconnected"
        failed="Failed to disconnect the app"
        aria-label={`Disconnect ${name}`}
        busyText="Disconnecting..."
      >
        Disconnect
      </RowChange>
    </Row>
  )
}
