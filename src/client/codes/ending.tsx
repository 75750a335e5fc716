import { Anchor } from '@mantine/core'
import { CalendarClock, CalendarX } from 'lucide-react'
import { memo, useState } from 'react'
import { Link } from 'wouter'
import { statusOf } from '#contract/code-values.ts'
import type { QrCode } from '#contract/codes.ts'
import { PlainButton } from '../ui/plain-button.tsx'
import { endingOf, endingSoon, expiredAlready } from './expiry.ts'
import { Note } from './note.tsx'
import { useOwner } from './owner.ts'
import { useRevive } from './queries.ts'

/** Says which printed codes have stopped working, and warns before others do. */
export const EndingNote = memo(function EndingNote({ codes }: { codes: readonly QrCode[] }) {
  const { tier } = useOwner()
  const now = new Date()
  const expired = expiredAlready(codes, now)
  const warning = endingSoon(codes, now)
  if (!expired && !warning) return null
  const [way, address, words] =
    tier === 'free'
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
  if (revived || !ending || statusOf(code, now) !== 'expired') return null
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
  if (tier === 'free') {
    return (
      <Anchor component={Link} href="/subscription" size="xs" {...BELOW}>
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
