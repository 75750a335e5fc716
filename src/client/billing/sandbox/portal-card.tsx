import { Button, Text } from '@mantine/core'
import { useRef, useState } from 'react'
import type { PortalPage, TestCard } from '#contract/sandbox.ts'
import { focusUnlessReturned } from '../../ui/lost-focus.ts'
import { amountText } from './amounts.ts'
import { CardEntry } from './card-entry.tsx'
import { Panel } from './panel.tsx'
import { usePortalCall } from './sandbox-calls.ts'

const texts = {
  pays: 'A test card that pays.',
  fails_later: 'A test card that fails at the renewal.',
  none: 'No card yet.',
}

/** The card that renewals are taken from. */
export function PortalCard({ page, path }: { page: PortalPage; path: string }) {
  const [isOpen, setOpen] = useState(false)
  const { mutate, isPending, failure } = usePortalCall(path)
  const isUnpaid = page.subscription?.status === 'past_due'
  const panel = useRef<HTMLDivElement>(null)
  const close = () => {
    setOpen(false)
    focusUnlessReturned(panel.current)
  }
  const save = (card: TestCard) => mutate({ action: 'card', body: { card } }, { onSuccess: close })
  return (
    <Panel title="Your card">
      <div ref={panel} tabIndex={-1}>
        <Text role="status">{texts[page.card ?? 'none']}</Text>
        {page.credit > 0 && (
          <Text size="sm" c="dimmed">
            {amountText(page.credit)} of credit pay your next bills.
          </Text>
        )}
      </div>
      {isOpen ? (
        <CardEntry
          submit="Save the card"
          busyText="Saving…"
          busy={isPending}
          error={failure}
          onPay={save}
        />
      ) : (
        <div>
          <Button variant={isUnpaid ? 'filled' : 'default'} onClick={() => setOpen(true)}>
            Replace the card
          </Button>
        </div>
      )}
    </Panel>
  )
}
