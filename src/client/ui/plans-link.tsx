import { Anchor, type AnchorProps, Button } from '@mantine/core'
import type { MouseEvent } from 'react'
import { Link } from 'wouter'
import { useMay } from '../workspace.ts'

/** The page of the plans. */
export const PLANS = '/subscription'

type PlansProps = AnchorProps & { onClick?: (event: MouseEvent) => void; children?: string }

type ButtonProps = Pick<PlansProps, 'onClick' | 'children'>

const CHOICE = 'POST /api/create-checkout-session'

/** Leads to the plans, for who may choose one. */
export function PlansButton({ children = 'See plans', onClick }: ButtonProps) {
  if (!useMay(CHOICE)) return null
  return (
    <Button component={Link} href={PLANS} size="sm" onClick={onClick}>
      {children}
    </Button>
  )
}

/** The same in a sentence. */
export function PlansLink({ children = 'See the plans', ...anchor }: PlansProps) {
  if (!useMay(CHOICE)) return null
  return (
    <Anchor component={Link} href={PLANS} inherit underline="always" {...anchor}>
      {children}
    </Anchor>
  )
}
