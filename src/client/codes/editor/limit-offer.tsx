import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { Link } from 'wouter'
import { FREE_EXPIRY_DAYS, paidTiers, plans, UNLIMITED } from '#contract/billing/plans.ts'
import { DialogBar } from '../../ui/dialog/dialog.tsx'
import { firstFocus } from '../../ui/focus.ts'
import { PLANS } from '../../ui/plans-link.tsx'
import { monthlyPrice } from '../../ui/prices.ts'
import { Quiet } from '../../ui/quiet.tsx'
import { useMay } from '../../workspace.ts'
import { useOwner } from '../owner.ts'
import type { ArtworkPlans } from './artwork/plan-note.tsx'

type Props = { seePlans: ArtworkPlans; onClose: () => void }

const promises = {
  free: `On the Free plan a code stops working ${FREE_EXPIRY_DAYS} days after you first save it. When you upgrade, your codes no longer expire, and expired ones work again.`,
  paid: 'What you’ve printed keeps working, whether you upgrade or not.',
}

/** In place of the form of new codes when the plan is full: the plans with more codes. */
export function LimitOffer({ seePlans, onClose }: Props) {
  const { tier } = useOwner()
  const mayPay = useMay('POST /api/create-checkout-session')
  if (!mayPay) {
    return (
      <>
        <Text>
          This workspace has all the QR codes of its plan. Ask its owner to upgrade, or delete one.
        </Text>
        <DialogBar onClose={onClose} closeText="Close" buttons={null} />
      </>
    )
  }
  const used = plans[tier].codeLimit
  const larger = paidTiers
    .map((paid) => plans[paid])
    .filter(({ codeLimit }) => codeLimit === UNLIMITED || codeLimit > used)
  return (
    <>
      <Stack gap="md">
        <div>
          <Title order={3}>Choose a plan with more QR codes</Title>
          <Text c="dimmed" mt={4}>
            {promises[tier === 'free' ? 'free' : 'paid']}
          </Text>
        </div>
        {larger.map((plan, index) => (
          <Group
            key={plan.tier}
            justify="space-between"
            p="12px 16px"
            bd="1px solid var(--line)"
            bdrs="md"
          >
            <div>
              <Text fw={600}>{plan.name}</Text>
              <Quiet>
                {plan.codeLimit === UNLIMITED ? 'Unlimited' : plan.codeLimit} QR codes,{' '}
                {monthlyPrice(plan, 'annual')} a month billed yearly
              </Quiet>
            </div>
            <Button
              ref={index === 0 ? firstFocus : undefined}
              // A quick refusal comes before the dialog has taken the focus.
              data-autofocus={index === 0 || undefined}
              component={Link}
              href={`${PLANS}?tier=${plan.tier}&billing=annual`}
              variant={index === 0 ? 'filled' : 'default'}
              onClick={seePlans}
            >
              Choose {plan.name}
            </Button>
          </Group>
        ))}
      </Stack>
      <DialogBar
        onClose={onClose}
        closeText="Not now"
        buttons={
          <Button component={Link} href={PLANS} variant="default" onClick={seePlans}>
            See the plans
          </Button>
        }
      />
    </>
  )
}
