import { Anchor, Radio, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { FigureMails, FigureMailsChange, FigureMailTime } from '#contract/analytics/figures.ts'
import { requestJson } from '../api.ts'
import { browserZone, weekdayIn } from '../formats.ts'
import { queryClient } from '../query-client.ts'
import { useCall } from '../ui/call.ts'
import { LoadFailure } from '../ui/messages/failure-alert.tsx'
import { useSignedOut } from '../ui/messages/sign-in-again.ts'
import { PlansLink } from '../ui/plans-link.tsx'
import { Spinner } from '../ui/spinner.tsx'

const PATH = '/api/analytics/mails'

const choices: Record<FigureMailTime, { label: string; description?: string }> = {
  off: { label: 'Never' },
  weekly: {
    label: 'Every week',
    description: 'Mondays at 7 AM, for the week before (Monday to Sunday).',
  },
  monthly: {
    label: 'Every month',
    description: 'On the first of the month at 7 AM, for the month before.',
  },
}

/** Fingers hit the words, so they are as high as a button. */
const AT_FINGERS = {
  label: {
    display: 'flex',
    alignItems: 'center',
    minHeight: 'var(--finger)',
    paddingRight: 12,
  },
  inner: { marginTop: 'max(0px, var(--finger) - 32px)' },
}

type Props = {
  /** The account's zone; null if it has none yet */
  timeZone: string | null
  /** Whether the account's plan has these mails */
  isPaid: boolean
}

/** How often the account is mailed a report. */
export default function FigureMailsChoice({ timeZone, isPaid }: Props) {
  // Read each time it is opened: a plan, a time zone or a link in a mail may have changed it.
  const mails = useQuery<FigureMails>({ queryKey: [PATH], gcTime: 0 })
  const save = useCall(
    (change: FigureMailsChange) => requestJson<FigureMails>('PUT', PATH, change),
    {
      failed: 'Failed to save your choice',
      after: (saved) => queryClient.setQueryData([PATH], saved),
    },
  )
  const signedOut = useSignedOut(mails.error)
  if (mails.isPending || signedOut) return <Spinner label="Loading your choice" />
  if (mails.isError) return <LoadFailure what="Your choice" reading={mails} />
  const zone = mails.data.timeZone ?? timeZone ?? browserZone() ?? 'UTC'
  // The choice is shown at once, and goes back if the server refuses.
  const chosen = (save.isPending && save.variables.every) || mails.data.every
  return (
    <>
      <Radio.Group
        label="How often"
        value={chosen}
        onChange={(every) => save.mutate({ every: every as FigureMailTime, timeZone: zone })}
      >
        <Stack gap="sm" mt="xs">
          {Object.entries(choices).map(([every, words]) => (
            <Radio
              key={every}
              value={every}
              {...words}
              styles={AT_FINGERS}
              disabled={!isPaid && every !== 'off' && every !== mails.data.every}
            />
          ))}
        </Stack>
      </Radio.Group>
      <div aria-live="polite">
        {isPaid ? <When mails={mails.data} zone={zone} /> : <NotInPlan mails={mails.data} />}
      </div>
    </>
  )
}

function When({ mails: { nextAt }, zone }: { mails: FigureMails; zone: string }) {
  const name = zone.replaceAll('_', ' ')
  return (
    <Text size="sm">
      {nextAt
        ? `Your next report comes on ${weekdayIn(zone, nextAt)} at 7 AM (${name}). `
        : `Your time zone is ${name}. `}
      <Anchor component={Link} href="/profile?settings=you" inherit underline="always">
        Change the time zone
      </Anchor>
    </Text>
  )
}

function NotInPlan({ mails }: { mails: FigureMails }) {
  return (
    <Text size="sm">
      {mails.every === 'off'
        ? 'Reports by email are part of every paid plan. '
        : 'You’re on the Free plan, so no reports are sent. We’ve kept your choice for when you upgrade. '}
      <PlansLink />
    </Text>
  )
}
