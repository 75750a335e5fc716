import { History } from 'lucide-react'
import { useRef } from 'react'
import type { CodeState } from '#contract/codes/code-history.ts'
import type { QrCode } from '#contract/codes/codes.ts'
import { type KeptField, keptFieldNames } from '#contract/codes/rule-values.ts'
import { shownAddress } from '#contract/shown-address.ts'
import { counted, formatCount, formatMoment } from '../../formats.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { Loaded } from '../../ui/dialog/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useKeptFocus } from '../../ui/focus.ts'
import { Quiet } from '../../ui/quiet.tsx'
import { Row, Rows } from '../../ui/rows.tsx'
import { useMay } from '../../workspace.ts'
import { useHistory, useRestoreState } from '../queries.ts'

/** The states that a code has had, each with a way back to it. */
export function CodeHistory({ code }: { code: QrCode }) {
  const restore = useRestoreState(code.id)
  const mayRestore = useMay('POST /api/qr-codes/:id/history/:stateId/restore')
  const history = useHistory(code.id)
  const area = useRef<HTMLDivElement>(null)
  // 'Show older' goes with the last of them.
  useKeptFocus(area)
  return (
    <div ref={area} tabIndex={-1}>
      <Loaded query={history} what="The history">
        {(states) =>
          states.length === 0 ? (
            <EmptyState
              icon={History}
              title="No changes yet"
              text={
                mayRestore
                  ? 'When you change where this code leads, you can go back from here.'
                  : 'Changes to this code will show up here.'
              }
            />
          ) : (
            <>
              <Rows>
                {states.map((state, index) => (
                  <Row
                    key={state.id}
                    title={formatMoment(state.at)}
                    lines={[byWhom(state), ...linesOf(state, states[index + 1])]}
                  >
                    {index === 0 ? (
                      <Quiet>Current</Quiet>
                    ) : (
                      mayRestore && (
                        <BusyButton
                          size="compact-sm"
                          variant="default"
                          aria-label={`Restore the state of ${formatMoment(state.at)}`}
                          busy={restore.isPending && restore.variables === state.id}
                          busyText="Restoring..."
                          onClick={() => restore.mutate(state.id)}
                        >
                          Restore
                        </BusyButton>
                      )
                    )}
                  </Row>
                ))}
              </Rows>
              {history.hasNextPage && (
                <BusyButton
                  variant="default"
                  busy={history.isFetchingNextPage}
                  busyText="Loading..."
                  onClick={() => void history.fetchNextPage()}
                >
                  Show older
                </BusyButton>
              )}
            </>
          )
        }
      </Loaded>
    </div>
  )
}

const byWhom = ({ by, byName, isYou }: CodeState) => {
  if (by === null) return 'Before the first change'
  if (by === 'person') return isYou ? 'You' : (byName ?? 'Someone whose account is gone')
  return by === 'key' ? `API key “${byName}”` : `App “${byName}”`
}

/** A field of a state as a line has it. */
function valueText(state: CodeState, field: KeptField): string {
  const value = state[field]
  if (field === 'isActive') return value ? 'Active' : 'Paused'
  if (field === 'hasPassword') return value ? 'on' : 'off'
  if (field === 'rules') return counted(state.rules.length, 'rule')
  if (value === null) return 'none'
  if (field === 'startsAt' || field === 'endsAt') return formatMoment(String(value))
  return typeof value === 'number' ? formatCount(value) : shownAddress(String(value))
}

/** "Destination: a.example → b.example", a line for each change; all that is set in the first state. */
function linesOf(state: CodeState, before: CodeState | undefined): string[] {
  if (!before) return [`Destination: ${shownAddress(state.url)}`]
  return state.changed.map((field) => {
    const [was, is] = [valueText(before, field), valueText(state, field)]
    // The same number of rules, or another password
    return `${keptFieldNames[field]}: ${was === is ? 'changed' : `${was} → ${is}`}`
  })
}
