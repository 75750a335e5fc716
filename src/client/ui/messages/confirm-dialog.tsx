import { Group, Text } from '@mantine/core'
import { createContext, type ReactNode, use, useEffect, useState } from 'react'
import { BusyButton } from '../busy-button.tsx'
import { LateModal } from '../dialog/late.tsx'
import { PlainButton } from '../plain-button.tsx'
import { createStore } from '../store.ts'
import { BAD } from '../theme/theme.ts'

export type Question = {
  title: string
  text: ReactNode
  /** The button that leaves everything as it is, `Cancel` if not given; Esc and a click outside do the same. */
  stay?: string
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

type Shown = {
  title: string
  children: ReactNode
  /** Called when it closes without an answer as well. */
  onClose?: (() => void) | undefined
  /** Called when it has gone, for the focus. */
  onClosed?: (() => void) | undefined
  /** Nothing but its own buttons closes it. */
  isAnswered?: boolean
}

/** The dialogs that lie above all others, the newest last. One that has closed stays until another opens: it gives the focus back. */
const asked = createStore<readonly (Shown & { id: number; opened: boolean })[]>([])
let count = 0

const closeWhere = (isMeant: (id: number) => boolean) =>
  asked.set(asked.get().map((one) => (isMeant(one.id) ? { ...one, opened: false } : one)))

/** Opens a dialog above all others, and returns how to close it. */
export function ask(dialog: Shown): () => void {
  const id = ++count
  asked.set([...asked.get().filter(({ opened }) => opened), { ...dialog, id, opened: true }])
  return () => closeWhere((one) => one === id)
}

/** Asks before something is done, in the one dialog that all screens share. */
export function confirm({ title, onClosed, ...answers }: Question): void {
  const close = ask({
    title,
    children: <Answers {...answers} close={() => close()} />,
    onClosed,
  })
}

export type Asked = Omit<Question, 'onGo'>

/** Acts, after a question if there is one. */
export const askFirst = (question: Asked | null, act: () => unknown) =>
  question ? confirm({ ...question, onGo: () => void act() }) : act()

/** A question is open. A dialog that lies beneath it must not close on its Esc. */
export const useIsAsking = () => asked.use().some(({ opened }) => opened)

/** Takes open questions back, as if they were answered with `stay`. */
export const withdrawQuestion = () => closeWhere(() => true)

/** Draws the questions that are open. */
export function Questions() {
  return asked.use().map(({ id, opened, title, children, onClose, onClosed, isAnswered }) => {
    const close = () => {
      closeWhere((one) => one === id)
      onClose?.()
    }
    return (
      <LateModal
        key={id}
        opened={opened}
        onClose={close}
        title={title}
        centered
        zIndex={ABOVE_DIALOGS}
        transitionProps={{ duration: 0 }}
        onExitTransitionEnd={onClosed}
        // Mantine listens on the window: the Esc that leads to the question would answer it as well.
        closeOnEscape={false}
        onKeyDown={(event) => event.key === 'Escape' && !isAnswered && close()}
        closeOnClickOutside={!isAnswered}
        withCloseButton={!isAnswered}
      >
        {children}
      </LateModal>
    )
  })
}

const Waiting = createContext((_waits: boolean) => {})

/** For the text of a question: the answer has to wait while `waits` is true. */
export function useAnswerWaits(waits: boolean): void {
  const setWaits = use(Waiting)
  useEffect(() => {
    setWaits(waits)
    return () => setWaits(false)
  }, [setWaits, waits])
}

type AnswersProps = Omit<Question, 'title' | 'onClosed'> & { close: () => void }

function Answers({ text, stay = 'Cancel', go, grave = true, onGo, busyText, close }: AnswersProps) {
  const [busy, setBusy] = useState(false)
  const [waits, setWaits] = useState(false)
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
        <Waiting value={setWaits}>{text}</Waiting>
      </Text>
      <Group justify="flex-end" mt="lg">
        <PlainButton onClick={close} data-autofocus>
          {stay}
        </PlainButton>
        <BusyButton
          color={grave ? BAD : undefined}
          busy={busy || waits}
          busyText={busy ? busyText : go}
          onClick={run}
        >
          {go}
        </BusyButton>
      </Group>
    </>
  )
}
