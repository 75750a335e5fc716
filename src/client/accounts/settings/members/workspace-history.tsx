import { EVENTS_SHOWN, type WorkspaceEvent } from '#contract/accounts/team.ts'
import { formatMoment } from '../../../formats.ts'
import { Row } from '../../../ui/rows.tsx'
import { eventText as securityText } from '../history-section.tsx'
import { ListSection } from '../list-section.tsx'
import { useFresh } from '../settings-calls.ts'
import { WORKSPACE } from './workspace-calls.ts'

const eventText: Record<WorkspaceEvent['event'], string> = {
  ...securityText,
  'code-made': 'QR code created',
  'code-series-made': 'Series of QR codes created',
  'code-import-made': 'QR codes imported',
  'code-changed': 'QR code changed',
  'code-paused': 'QR code paused',
  'code-resumed': 'QR code resumed',
  'code-deleted': 'QR code deleted',
  'code-restored': 'QR code restored',
  'code-revived': 'QR code reactivated',
  'plan-changed': 'Plan changed',
  'contact-changed': 'Contact changed',
  'member-invited': 'Person invited',
  'invitation-withdrawn': 'Invitation withdrawn',
  'member-joined': 'Member joined',
  'member-left': 'Member left',
  'member-removed': 'Member removed',
  'role-changed': 'Role changed',
  'ownership-offered': 'Workspace offered to a new owner',
  'ownership-taken': 'Workspace handed over',
  'workspace-made': 'Workspace created',
  'workspace-changed': 'Workspace changed',
  'workspace-deletion-asked': 'Deletion of the workspace requested',
  'workspace-deletion-cancelled': 'Deletion of the workspace canceled',
  'second-step-demanded': 'Two-step verification requirement changed',
}

/** The last events of the workspace */
export function WorkspaceHistory() {
  const history = useFresh<WorkspaceEvent[]>(`${WORKSPACE}/history`)
  return (
    <ListSection
      title="Who did what"
      text={`The last ${EVENTS_SHOWN} changes to QR codes, members, and settings. We keep them for 13 months.`}
      what="The history"
      query={history}
      entries={history.data}
      none="Nothing yet."
      row={(event) => <Event key={event.id} event={event} />}
    />
  )
}

function Event({ event: { at, event, by, isYou, program, about } }: { event: WorkspaceEvent }) {
  const who = isYou ? 'You' : (by ?? 'Someone whose account is gone')
  return (
    <Row
      title={about ? `${eventText[event]}: ${about}` : eventText[event]}
      lines={[
        program ? `${who}, by “${program}”` : who,
        <time key="at" dateTime={at}>
          {formatMoment(at)}
        </time>,
      ]}
    />
  )
}
