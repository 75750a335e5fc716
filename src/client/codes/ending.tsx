import { Anchor } from '@mantine/core'
import { CalendarClock, CalendarX } from 'lucide-react'
import { memo, useState } from 'react'
import { Link } from 'wouter'
import { plans, type Tier } from '#contract/billing/plans.ts'
import { isExpired } from '#contract/codes/code-values.ts'
import type { QrCode } from '#contract/codes/codes.ts'
import { DAY_MS } from '#contract/time.ts'
import { counted, formatDay } from '../formats.ts'
import { PlainButton } from '../ui/plain-button.tsx'
import { PLANS } from '../ui/plans-link.tsx'
import { useMay } from '../workspace.ts'
import { Note } from './note.tsx'
import { useOwner } from './owner.ts'
import { useRevive } from './queries.ts'

/** Says which printed codes have stopped working, and warns before others do. */
export const EndingNote = memo(function EndingNote({ codes }: { codes: readonly QrCode[] }) {
  const { tier } = useOwner()
  const mayPay = useMay('POST /api/create-checkout-session')
  const now = new Date()
  const expired = expiredAlready(codes, now)
  const warning = endingSoon(codes, now)
  if (!expired && !warning) return null
  const [way, address, words] =
    tier === 'free' && mayPay
      ? [
          expired ? 'Expired codes work again on any paid plan.' : 'Paid plans keep codes working.',
          '/subscription',
          'See the plans',
        ]
      : ['', '/dashboard?status=expired', 'Show expired codes']
  return (
    <Note icon={expired ? CalendarX : CalendarClock} role="status">
      {[expired, warning, way].filter(Boolean).join(' ')}{' '}
      <Anchor component={Link} href={address} c="inherit" fw={600} underline="always">
        {words}
      </Anchor>
    </Note>
  )
})

/** Above the form of a code that has expired. */
export function ExpiredNote({ code }: { code: QrCode }) {
  const [revived, setRevived] = useState(false)
  const now = new Date()
  const ending = endingOf(code, now)
  const isOver = code.endsAt !== null && now >= new Date(code.endsAt)
  if (revived || isOver || !ending || !code.isActive || !isExpired(code, now)) return null
  return (
    <Note icon={CalendarX} role="status" mb="md">
      This code stopped working on {ending.day}. People who scan it see a page that says so.
      <WayBack code={code} onRevived={() => setRevived(true)} />
    </Note>
  )
}

type WayBackProps = { code: QrCode; onRevived?: () => void }

/** Lets an expired code work again: by a button on a paid plan, on the free plan by an upgrade. */
export function WayBack({ code, onRevived }: WayBackProps) {
  const revive = useRevive()
  const { tier } = useOwner()
  const mayPay = useMay('POST /api/create-checkout-session')
  const mayRevive = useMay('POST /api/qr-codes/:id/revive')
  if (!(tier === 'free' ? mayPay : mayRevive)) return null
  if (tier === 'free') {
    return (
      <Anchor component={Link} href={PLANS} size="xs" {...BELOW}>
        Upgrade to make it work again
      </Anchor>
    )
  }
  return (
    <PlainButton
      size="compact-sm"
      {...BELOW}
      aria-label={`Reactivate ${code.name}`}
      aria-disabled={revive.isPending}
      onClick={() => revive.isPending || revive.mutate(code.id, { onSuccess: onRevived })}
    >
      Reactivate
    </PlainButton>
  )
}

const BELOW = {
  display: 'block',
  w: 'fit-content',
  mt: 6,
  mih: 'var(--finger)',
  style: { alignContent: 'center' },
} as const

type Ending = Pick<QrCode, 'expiresAt'> & Partial<Pick<QrCode, 'endsAt'>>

/** When a saved code stops or stopped working; null if it never ends. */
export function endingOf(
  { expiresAt, endsAt = null }: Ending,
  now: Date,
): { verb: string; day: string } | null {
  // Both are in UTC: the earlier one counts.
  const end = expiresAt && endsAt && endsAt < expiresAt ? endsAt : (expiresAt ?? endsAt)
  if (!end) return null
  const verb = now > new Date(end) ? 'Stopped working on' : 'Stops working on'
  return { verb, day: formatDay(end) }
}

/** The same as one sentence. */
export function endOf(code: Ending, now: Date): string | null {
  const ending = endingOf(code, now)
  return ending && `${ending.verb} ${ending.day}`
}

/** When a new code ends; null on a plan whose codes do not end. */
export function endIfSaved(tier: Tier, now: Date): string | null {
  const { name, expiryDays } = plans[tier]
  if (expiryDays === null) return null
  const end = new Date(now.getTime() + expiryDays * DAY_MS)
  return `On the ${name} plan, this code stops working on ${formatDay(end)} if you save it today.`
}

/** Names the codes that have expired; null if there are none. Paused codes do not count. */
export function expiredAlready(
  codes: readonly Pick<QrCode, 'name' | 'expiresAt' | 'isActive'>[],
  now: Date,
): string | null {
  const expired = codes.filter((code) => code.isActive && isExpired(code, now))
  const [first] = expired
  if (!first) return null
  return expired.length === 1
    ? `“${first.name}” has expired: people who scan it see a page that says so.`
    : `${counted(expired.length, 'QR code')} have expired: people who scan them see a page that says so.`
}

/** The warning comes this many days before a code ends. */
const NEAR_DAYS = 3

/** Names the codes that end in the next three days; null if there are none. Paused codes do not count. */
export function endingSoon(
  codes: readonly Pick<QrCode, 'name' | 'expiresAt' | 'isActive'>[],
  now: Date,
): string | null {
  const limit = now.getTime() + NEAR_DAYS * DAY_MS
  const near = codes
    .flatMap(({ name, expiresAt, isActive }) =>
      isActive && expiresAt ? [{ name, end: new Date(expiresAt) }] : [],
    )
    .filter(({ end }) => end >= now && end.getTime() <= limit)
    .sort((one, other) => one.end.getTime() - other.end.getTime())
  const [first] = near
  if (!first) return null
  const day = formatDay(first.end)
  if (near.length === 1) return `“${first.name}” stops working on ${day}.`
  return `${near.length} QR codes stop working in the next ${NEAR_DAYS} days, “${first.name}” first on ${day}.`
}
