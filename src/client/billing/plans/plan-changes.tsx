import { List } from '@mantine/core'
import type { Tier } from '#contract/plans.ts'
import { usePlanUse } from '../queries.ts'
import { planChange } from './plan-change.ts'

type Props = { from: Tier; to: Tier; until?: string | null; further?: string }

/** The changes of a lower plan, for the question before it; the account's numbers may come later. */
export function PlanChanges({ from, to, until, further }: Props) {
  const { data: use = null } = usePlanUse()
  const sentences = planChange({ from, to, use, until })
  return (
    <List size="sm" spacing={8}>
      {[...sentences, ...(further ? [further] : [])].map((sentence) => (
        <List.Item key={sentence}>{sentence}</List.Item>
      ))}
    </List>
  )
}
