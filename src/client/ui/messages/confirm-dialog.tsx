import { Button, Group, Text } from '@mantine/core'
import { modals, useModals } from '@mantine/modals'
import { type ReactNode, useState } from 'react'
import { BusyButton } from '../busy-button.tsx'
import { BAD } from '../theme/theme.ts'

export type Question = {
  title: string
  text: ReactNode
  /** The button that leaves everything as it is; Esc and a click outside do the same. */
  stay: string
  go: string
  /** Something is lost, rather than changed. */
  grave?: boolean
  /** The question stays until what `onGo` returns has settled. Its caller reports a failure. */
  onGo: () => unknown
  /** The label of the button until then; without it a spinner shows. */
  busyText?: string
  onClosed?: () => void
}

/** Above every dialog, below toasts. */
const ABOVE_DIALOGS = 290

/** Asks before something is done, in the one dialog that all screens share. */
export function confirm({ title, onClosed, ...answers }: Question): void {
  const close = () => modals.close(id)
  const id = modals.open({
    title,
    children: <Answers {...answers} close={() => close()} />,
    centered: true,
    zIndex: ABOVE_DIALOGS,
    transitionProps: { duration: 0 },
    onExitTransitionEnd: onClosed,
    // Mantine listens on the window: the Esc that leads to the question would answer it as well.
    closeOnEscape: false,
    onKeyDown: (event) => event.key === 'Escape' && close(),
  })
}

/** A question is open. A dialog that lies beneath it must not close on its Esc. */
export const useIsAsking = () => useModals().modals.length > 0

/** Takes an open question back, as if it was answered with `stay`. */
export const withdrawQuestion = () => modals.closeAll()

type AnswersProps = Omit<Question, 'title' | 'onClosed'> & { close: () => void }

function Answers({ text, stay, go, grave = true, onGo, busyText, close }: AnswersProps) {
  const [busy, setBusy] = useState(false)
  const run = async () => {
    const done = onGo()
    if (done instanceof Promise) {
      setBusy(true)
      await Promise.allSettled([done])
    }
    close()
  }
  return (
    <>
      <Text component="div" size="sm">
        {text}
      </Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={close} data-autofocus>
          {stay}
        </Button>
        <BusyButton color={grave ? BAD : undefined} busy={busy} busyText={busyText} onClick={run}>
          {go}
        </BusyButton>
      </Group>
    </>
  )
}
