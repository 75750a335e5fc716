import { Center, Group, type ModalProps } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, useEffect } from 'react'
import { useIsAsking } from '../messages/confirm-dialog.tsx'
import { LATE_PART, LoadFailure } from '../messages/failure-alert.tsx'
import { PanelBoundary } from '../messages/panel-boundary.tsx'
import { useSignedOut } from '../messages/sign-in-again.ts'
import { PlainButton } from '../plain-button.tsx'
import { Spinner } from '../spinner.tsx'
import styles from './dialog.module.css'
import { LateModal } from './late.tsx'
import { useLatePart } from './lazy-import.ts'

type DialogProps = Pick<ModalProps, 'title' | 'size' | 'zIndex' | 'closeOnEscape'> & {
  opened: boolean
  onClose: () => void
  /** Called when the dialog has gone, for the focus. */
  onClosed?: () => void
  /** Names what the dialog holds if that cannot be shown: "The form". */
  what: string
  /** It takes the whole screen of a phone, and its title stays in view. */
  isLarge?: boolean
  /** Nothing but its own buttons closes it. */
  isAnswered?: boolean
  children: ReactNode
}

/** The frame of each dialog: its title, what it holds, and on a phone the whole screen for a large one. */
export function Dialog(props: DialogProps) {
  const { onClosed, what, isLarge = false, isAnswered, closeOnEscape = true, ...rest } = props
  const { children, ...modal } = rest
  const onPhone = useOnPhone()
  const isAsking = useIsAsking()
  return (
    <LateModal
      {...modal}
      closeOnEscape={closeOnEscape && !isAsking}
      onExitTransitionEnd={onClosed}
      fullScreen={isLarge && onPhone}
      classNames={isLarge ? LARGE : undefined}
      {...(isAnswered && ANSWERED)}
    >
      <PanelBoundary what={what}>{children}</PanelBoundary>
    </LateModal>
  )
}

const LARGE = { content: styles.content, header: styles.header, body: styles.body }

type BarProps = {
  /** Closes the dialog; without it the dialog has no button for that */
  onClose?: () => void
  closeText?: string
  buttons: ReactNode
  children?: ReactNode
}

/** The buttons at the end of a dialog, which stay in view; `children` stand before them. */
export function DialogBar({ onClose, closeText = 'Cancel', buttons, children }: BarProps) {
  return (
    <Group gap={12} className={styles.bar} data-bar>
      {children}
      <Group gap={12} justify="flex-end" ml="auto" className={styles.buttons}>
        {onClose && <PlainButton onClick={onClose}>{closeText}</PlainButton>}
        {buttons}
      </Group>
    </Group>
  )
}

const ANSWERED = {
  centered: true,
  transitionProps: { duration: 0 },
  withCloseButton: false,
  closeOnClickOutside: false,
  closeOnEscape: false,
} as const

/** "The form" in a sentence. */
const inSentence = (what: string) => `${what[0]?.toLowerCase()}${what.slice(1)}`

const AUTOFOCUS = '[role=dialog] [data-autofocus]'

/** About as high as the part that comes. The control that is to have the focus gets it when it is there. */
function Waiting({ what, height }: { what: string; height?: number | undefined }) {
  useEffect(() => () => document.querySelector<HTMLElement>(AUTOFOCUS)?.focus(), [])
  return (
    <Center w="100%" mih={height} py={56}>
      <Spinner label={`Loading ${inSentence(what)}`} />
    </Center>
  )
}

export type LateProps<Part> = Omit<DialogProps, 'children'> & {
  load: () => Promise<Part>
  height?: number
  children: (part: Part) => ReactNode
}

/** A dialog whose contents are a part of the program that is loaded late. */
export function LateDialog<Part extends object>(props: LateProps<Part>) {
  const { load, height, children, ...dialog } = props
  const { opened, what } = dialog
  // Not by Late: what a closed dialog holds is not drawn, and would not come with the first sign of a person.
  const part = useLatePart(load, opened)
  return (
    <Dialog {...dialog}>
      {part instanceof Error && <LoadFailure what={what} reading={LATE_PART} />}
      {part === undefined && <Waiting what={what} height={height} />}
      {part && !(part instanceof Error) && children(part)}
    </Dialog>
  )
}

type LoadedProps<Data> = {
  query: { data: Data | undefined; error: Error | null; refetch: () => unknown }
  what: string
  height?: number
  children: (data: Data) => ReactNode
}

/** Draws an answer of the server once it has arrived. */
export function Loaded<Data>({ query, what, height, children }: LoadedProps<Data>) {
  const { data, error } = query
  const isSignedOut = useSignedOut(error)
  if (error && !isSignedOut) return <LoadFailure what={what} reading={query} />
  return data === undefined || isSignedOut ? (
    <Waiting what={what} height={height} />
  ) : (
    children(data)
  )
}

/** As narrow as a phone. Known from the first drawing on, so that nothing is drawn twice. */
export const useOnPhone = () =>
  useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
