import { Anchor } from '@mantine/core'
import { Sparkles } from 'lucide-react'
import { Link } from 'wouter'
import { plans, type Tier } from '#contract/plans.ts'
import { Note } from '../../note.tsx'
import type { ArtworkPlans } from './see-plans.ts'
import { PLANS } from './see-plans.ts'

type Props = { tier: Tier; seePlans: ArtworkPlans; text: string }

/** Said before somebody begins, and not only when they save. */
export function PlanNote({ tier, seePlans, text }: Props) {
  if (plans[tier].hasArtwork) return null
  return (
    <Note icon={Sparkles}>
      {text}{' '}
      <Anchor component={Link} href={PLANS} inherit underline="always" onClick={seePlans}>
        See the plans
      </Anchor>
    </Note>
  )
}
