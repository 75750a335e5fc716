import { Group, Text } from '@mantine/core'
import type { Subscription } from '#contract/billing.ts'
import { plans } from '#contract/plans.ts'
import { formatDay } from '../../formats.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { useKeepPlan } from '../queries.ts'

/** The change that comes by itself at the end of the paid period, with a button that calls it off. */
export function PlannedChange({
  next: { tier, billing, at },
}: Required<Pick<Subscription, 'next'>>) {
  const keep = useKeepPlan()
  return (
    <Group justify="space-between">
      <Text size="sm">
        Your plan changes to {plans[tier].name} ({billing}) on {formatDay(at)}.
      </Text>
      <BusyButton
        variant="default"
        busy={keep.isPending}
        busyText="Saving..."
        onClick={() => keep.mutate()}
      >
        Keep my plan
      </BusyButton>
    </Group>
  )
}
