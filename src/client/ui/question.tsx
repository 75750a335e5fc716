import { Button, Group, getDefaultZIndex, Modal, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { BAD } from './theme.ts'

export type Question = {
  title: string
  text: ReactNode
  /** The button that leaves all as it is; Esc and a click outside do the same. */
  stay: string
  go: string
  onGo: () => void
}
export type Ask = (question: Question) => void

/** The one question that a dialog can ask at a time. */
export function useQuestion() {
  const [question, setQuestion] = useState<Question | null>(null)
  return { question, ask: setQuestion as Ask, withdraw: () => setQuestion(null) }
}

type Props = { question: Question | null; onAnswered: () => void }

/**
 * Stands after the dialog that asks, never inside it: where both close at once, the dialog's opener
 * is the first to get the focus back, and keeps it.
 */
export function QuestionDialog({ question, onAnswered }: Props) {
  const go = () => {
    onAnswered()
    question?.onGo()
  }
  return (
    <Modal
      opened={question !== null}
      onClose={onAnswered}
      // The kit listens on the whole window: the Esc that asks the question would answer it as well.
      closeOnEscape={false}
      onKeyDown={(event) => event.key === 'Escape' && onAnswered()}
      title={question?.title}
      transitionProps={{ duration: 0 }}
      zIndex={getDefaultZIndex('modal') + 1}
      centered
    >
      <Text size="sm">{question?.text}</Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onAnswered} data-autofocus>
          {question?.stay}
        </Button>
        <Button color={BAD} onClick={go}>
          {question?.go}
        </Button>
      </Group>
    </Modal>
  )
}
