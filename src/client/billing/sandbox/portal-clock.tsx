import { Group, Text } from '@mantine/core'
import type { PortalPage, TestClockStep } from '#contract/sandbox.ts'
import { formatDay } from '../../dates.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { FailureAlert } from '../../ui/messages/failure-alert.tsx'
import { Panel } from '../panel.tsx'
import { usePortalCall } from './sandbox-calls.ts'

const steps: { step: TestClockStep; text: string }[] = [
  { step: 'month', text: 'One month' },
  { step: 'period', text: 'To the end of the period' },
  { step: 'year', text: 'One year' },
]

/** Moves the time of this account's payments, so that renewals can be seen without waiting for them. */
export function PortalClock({ page, path }: { page: PortalPage; path: string }) {
  const { mutate, isPending, failure, busyWith } = usePortalCall(path)
  const isOver = !page.subscription || page.subscription.status === 'canceled'
  const busyStep = busyWith?.action === 'advance' ? busyWith.body.step : null
  return (
    <Panel title="Advance the test clock">
      <Text>
        For your payments it is{' '}
        <Text component="span" fw={600} role="status">
          {formatDay(page.now)}
        </Text>
        {page.isAhead ? ', by the test clock.' : '.'} Renewals that fall due are made at once. Your
        QR codes and their scans keep to the real time.
      </Text>
      <FailureAlert message={failure} />
      <Group>
        {steps
          .filter(({ step }) => !(isOver && step === 'period'))
          .map(({ step, text }) => (
            <BusyButton
              key={step}
              variant="default"
              busy={isPending}
              busyText={busyStep === step ? 'Advancing…' : text}
              onClick={() => mutate({ action: 'advance', body: { step } })}
            >
              {text}
            </BusyButton>
          ))}
      </Group>
    </Panel>
  )
}
