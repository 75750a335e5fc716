import { Anchor, type AnchorProps } from '@mantine/core'
import type { MouseEvent } from 'react'
import { Link } from 'wouter'
import { useMay } from '../workspace.ts'

/** The page of the plans. */
export const PLANS = '/subscription'

type PlansProps = AnchorProps & { onClick?: (event: MouseEvent) => void; children?: string }

/** A link to the plans in a sentence, for who may choose one. */
export function PlansLink({ children = 'See the plans', ...anchor }: PlansProps) {
  if (!useMay('POST /api/create-checkout-session')) return null
  return (
    <Anchor component={Link} href={PLANS} inherit underline="always" {...anchor}>
      {children}
    </Anchor>
  )
}
