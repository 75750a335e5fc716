import { Button, Stack, Text } from '@mantine/core'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { PortalPage, TestCard } from '#contract/sandbox.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { focusUnlessReturned } from '../../ui/focus.ts'
import { Panel } from '../panel.tsx'
import { TestCardForm } from '../payment/test-card-form.tsx'
import { usePortalCall } from './sandbox-calls.ts'

const texts = {
  pays: 'Visa •••• 4242',
  asks: 'Visa •••• 3155',
  fails_later: 'Visa •••• 0341, which fails at renewal',
  none: 'No card yet.',
}

/** The card that renewals are taken from. */
export function PortalCard({ page, path }: { page: PortalPage; path: string }) {
  const [isOpen, setOpen] = useState(false)
  const { mutate, isPending, failure, reset } = usePortalCall(path)
  const isUnpaid = page.subscription?.status === 'past_due'
  const panel = useRef<HTMLDivElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    focusUnlessReturned(() => panel.current?.focus())
  }
  const cancel = () => {
    // Rendered at once, so that the button that opened the form can take the focus.
    flushSync(() => setOpen(false))
    opener.current?.focus()
    reset()
  }
  const save = (card: TestCard) => mutate({ action: 'card', body: { card } }, { onSuccess: close })
  return (
    <Panel title="Your card">
      <div ref={panel} tabIndex={-1}>
        <Text role="status">{texts[page.card ?? 'none']}</Text>
      </div>
      {isOpen ? (
        <Stack gap="sm">
          <TestCardForm
            takesFocus
            submit="Save card"
            busyText="Saving…"
            busy={isPending}
            error={failure}
            onPay={save}
          />
          <BusyButton
            variant="default"
            fullWidth
            busy={isPending}
            busyText="Cancel"
            onClick={cancel}
          >
            Cancel
          </BusyButton>
        </Stack>
      ) : (
        <div>
          <Button
            ref={opener}
            variant={isUnpaid ? 'filled' : 'default'}
            onClick={() => setOpen(true)}
          >
            Replace card
          </Button>
        </div>
      )}
    </Panel>
  )
}
