import { Group, List, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Discount, PlanUse, Subscription } from '#contract/billing/billing.ts'
import {
  FREE_EXPIRY_DAYS,
  type Plan,
  plans,
  type Tier,
  tiers,
  UNLIMITED,
} from '#contract/billing/plans.ts'
import { formatDay } from '../../formats.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { money } from '../../ui/prices.ts'
import { useRenewal } from '../calls.ts'
import { usePlanUse } from '../queries.ts'

export type PlanChange = {
  from: Tier
  to: Tier
  /** The account's own numbers; null if they could not be read. */
  use: PlanUse | null
  /** The end of the paid period, if the current plan ends then. */
  until?: string | null
}

export function isLower(to: Tier, from: Tier): boolean {
  return tiers.indexOf(to) < tiers.indexOf(from)
}

/** The effects of a change of plan on an account's codes and limits, a sentence each. */
export function planChange({ from, to, use, until }: PlanChange): string[] {
  const [before, after] = [plans[from], plans[to]]
  const sentences = isLower(to, from)
    ? [
        keptCodes(use, after),
        lowerLimit(use, before, after),
        before.customPaths &&
          !after.customPaths &&
          `${after.name} doesn’t include new custom URLs.`,
        after.expiryDays !== null &&
          `QR codes you create on ${after.name} stop working after ${FREE_EXPIRY_DAYS} days. The ones you have now don’t expire.`,
        until && `You keep ${before.name} until ${formatDay(until)}.`,
      ]
    : [
        before.expiryDays !== null && liftedEnds(use),
        higherLimit(before, after),
        !before.customPaths && after.customPaths && 'Your QR codes can have custom URLs.',
      ]
  return sentences.filter((sentence) => typeof sentence === 'string' && sentence !== '') as string[]
}

/** A lapsed or lower plan never stops a printed code. */
function keptCodes(use: PlanUse | null, after: Plan): string | null {
  if (!use) return 'All your QR codes keep working.'
  const { codes, customPaths } = use
  if (codes === 0) return null
  const kept =
    codes === 1 ? 'Your QR code keeps working' : `All ${codes} of your QR codes keep working`
  if (customPaths === 0 || after.customPaths) return `${kept}.`
  if (codes === 1) return `${kept}, and so does its custom URL.`
  return `${kept}, and so ${customPaths === 1 ? 'does your custom URL' : `do your ${customPaths} custom URLs`}.`
}

function lowerLimit(use: PlanUse | null, before: Plan, after: Plan): string | null {
  const limit = after.codeLimit
  const isOver = use !== null && use.codes > limit
  if (limit === UNLIMITED || (limit === before.codeLimit && !isOver)) return null
  const included = `${after.name} includes ${limit} QR codes`
  if (use && use.codes < limit) return `${included}, so you can create ${limit - use.codes} more.`
  return `${included}. You can still edit, pause, and delete yours, and create new ones once you have fewer than ${limit}.`
}

function liftedEnds(use: PlanUse | null): string | null {
  if (!use || use.ending === 0) return null
  return use.ending === 1
    ? `Your QR code with a ${FREE_EXPIRY_DAYS}-day limit will no longer expire.`
    : `${use.ending} QR codes with a ${FREE_EXPIRY_DAYS}-day limit will no longer expire.`
}

function higherLimit(before: Plan, after: Plan): string | null {
  if (after.codeLimit === before.codeLimit) return null
  const allowed =
    after.codeLimit === UNLIMITED ? 'as many QR codes as you like' : `${after.codeLimit} QR codes`
  return `You can have ${allowed} instead of ${before.codeLimit}.`
}

type ListProps = Omit<PlanChange, 'use'> & { children?: ReactNode }

/** The changes of another plan, for the question before it; the account's numbers may come later. */
export function PlanChanges({ from, to, until, children }: ListProps) {
  const { data: use = null } = usePlanUse()
  const sentences = planChange({ from, to, use, until })
  if (sentences.length === 0 && !children) return null
  return (
    <List size="sm" spacing={8}>
      {sentences.map((sentence) => (
        <List.Item key={sentence}>{sentence}</List.Item>
      ))}
      {children}
    </List>
  )
}

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

/** "20% off until Mar 3, 2027", "$5.00 off the next bill", "10% off" */
export function discountText(discount: Discount, bill = 'the next bill'): string {
  const { percentOff, amountOff, currency, lasts, until } = discount
  const off = percentOff === null ? money(amountOff ?? 0, currency ?? 'usd') : `${percentOff}%`
  if (until) return `${off} off until ${formatDay(until)}`
  return lasts === 'once' ? `${off} off ${bill}` : `${off} off`
}
