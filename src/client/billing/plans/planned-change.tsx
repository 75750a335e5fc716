import { Group, Text } from '@mantine/core'
import type { Subscription } from '#contract/billing.ts'
import { plans } from '#contract/plans.ts'
import { formatDay } from '../../formats.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { useRenewal } from '../queries.ts'

/** The change that comes by itself at the end of the paid period, with a button that calls it off. */
export function PlannedChange({
  next: { tier, billing, at },
}: Required<Pick<Subscription, 'next'>>) {
  const renewal = useRenewal()
  return (
    <Group justify="space-between">
      <Text size="sm">
        Your plan changes to {plans[tier].name} ({billing}) on {formatDay(at)}.
      </Text>
      <BusyButton
        variant="default"
        busy={renewal.isPending}
        busyText="Saving..."
        onClick={() => renewal.mutate('keep')}
      >
        Keep my plan
      </BusyButton>
    </Group>
  )
}
