import { Anchor } from '@mantine/core'
import type { ConnectedApp } from '#contract/integrations/connected-apps.ts'
import { formatDay, formatMoment } from '../../formats.ts'
import { Row } from '../../ui/rows.tsx'
import { RowChange } from '../change-button.tsx'
import { ListSection } from './list-section.tsx'
import { scopeText } from './scope-choice.tsx'
import { remove, useFresh } from './settings-calls.ts'

/** The agents that work with the account, allowed by a click. */
export function AppsSection() {
  const apps = useFresh<ConnectedApp[]>('/api/account/apps')
  return (
    <ListSection
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
      what="Your apps"
      query={apps}
      entries={apps.data}
      none="You have no connected apps yet."
      row={(app) => <AppRow key={app.id} app={app} />}
    />
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
      >
        Disconnect
      </RowChange>
    </Row>
  )
}
