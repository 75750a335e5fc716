import type { ButtonProps } from '@mantine/core'
import { BusyButton } from '../ui/busy-button.tsx'
import { confirm, type Question } from '../ui/messages/confirm-dialog.tsx'
import { type Change, useChange } from './queries.ts'

type Props<Output> = ButtonProps &
  Change<void, Output> & {
    /** By default of its label: "Remove picture" is "Removing..." */
    busyText?: string
    /** Asked before the change is made */
    question?: Omit<Question, 'onGo'>
    onDone?: (output: Output) => void
    children: string
  }

/** The label of a busy button, made of its usual one, which begins with a verb: not "Stop" or "Set up". */
export const ongoing = (label: string) => `${label.split(' ')[0]?.replace(/e$/, '')}ing...`

/** A button that changes something of the account, with its question, its toasts and its busy text. */
export function ChangeButton<Output>(props: Props<Output>) {
  const { call, failed, done, show, question, onDone, ...button } = props
  const change = useChange({ call, failed, done, show })
  const onGo = () => change.mutate(undefined, { onSuccess: onDone })
  return (
    <BusyButton
      variant="default"
      busyText={ongoing(props.children)}
      {...button}
      busy={change.isPending}
      onClick={question ? () => confirm({ stay: 'Keep it', ...question, onGo }) : onGo}
    />
  )
}

/** The small one of a row or a note. */
export function RowChange<Output>(props: Props<Output>) {
  return <ChangeButton size="xs" {...props} />
}
