import { Box, Card, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { SHARE_NOTE_MAX, type ShareDays, shareDays } from '#contract/analytics/figure-values.ts'
import type { Share } from '#contract/analytics/shares.ts'
import { serverMessageOf } from '../../api.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { FailureAlert } from '../../ui/messages/failure-alert.tsx'
import { Choice } from '../drawer/view/choice.tsx'
import { useMakeShare } from './queries.ts'

const names: Record<ShareDays, string> = {
  7: '7 days',
  30: '30 days',
  90: '90 days',
  365: '1 year',
}
const lives = shareDays.map((days) => ({ value: `${days}`, label: names[days] }))
const DEFAULT_DAYS: ShareDays = 30

type Props = { code: string; onMade: (share: Share) => void }

export function ShareForm({ code, onMade }: Props) {
  const [days, setDays] = useState(`${DEFAULT_DAYS}`)
  const [note, setNote] = useState('')
  const make = useMakeShare(code)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (make.isPending) return
    const life = shareDays.find((each) => `${each}` === days) ?? DEFAULT_DAYS
    make.mutate(
      { days: life, note },
      {
        onSuccess: (share) => {
          setNote('')
          onMade(share)
        },
      },
    )
  }
  return (
    <Card
      component="form"
      withBorder
      padding={16}
      style={{ gap: 16, borderColor: 'var(--line)' }}
      onSubmit={submit}
      noValidate
    >
      <div>
        <Box mb={6} fz="sm" fw={500} aria-hidden>
          The link works for
        </Box>
        <Choice label="The link works for" options={lives} value={days} onChange={setDays} />
      </div>
      <TextInput
        label="Note (optional)"
        description="Who is it for? Only you see this."
        value={note}
        maxLength={SHARE_NOTE_MAX}
        autoComplete="off"
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
      />
      <FailureAlert message={make.error && messageOf(make.error)} />
      <BusyButton type="submit" busy={make.isPending} busyText="Creating…">
        Create link
      </BusyButton>
    </Card>
  )
}

const messageOf = (error: Error) =>
  serverMessageOf(error) ?? 'We couldn’t create the link. Try again in a moment.'
