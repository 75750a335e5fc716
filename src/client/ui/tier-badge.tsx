import { Badge } from '@mantine/core'
import type { Tier } from '#contract/billing/plans.ts'

/** The plan in upper case, as the specification has it in headers and badges. */
export function TierBadge({ tier, prefix = '' }: { tier: Tier; prefix?: string }) {
  return (
    <Badge
      variant={tier === 'free' ? 'default' : 'filled'}
      tt="none"
      style={{ flexShrink: 0 }}
    >{`${prefix}${tier.toUpperCase()}`}</Badge>
  )
}
