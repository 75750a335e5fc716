import { Anchor } from '@mantine/core'
import { CalendarClock } from 'lucide-react'
import { memo } from 'react'
import { Link } from 'wouter'
import type { QrCode } from '#contract/codes.ts'
import { endingSoon } from './expiry.ts'
import { Note } from './note.tsx'

/** Warns before printed codes stop working, so that nobody learns it from a guest at the door. */
export const EndingSoon = memo(function EndingSoon({ codes }: { codes: readonly QrCode[] }) {
  const warning = endingSoon(codes, new Date())
  if (!warning) return null
  return (
    <Note icon={CalendarClock} role="status">
      {warning} Paid plans keep codes working.{' '}
      <Anchor component={Link} href="/subscription" c="inherit" fw={600} underline="always">
        See the plans
      </Anchor>
    </Note>
  )
})
