import { Button, Group, List, Modal } from '@mantine/core'
import { BusyButton } from '../../ui/busy-button.tsx'
import { BAD } from '../../ui/theme.ts'

type Props = {
  opened: boolean
  title: string
  /** What will be, a sentence each. */
  sentences: string[]
  stay: string
  go: string
  /** What is given up, rather than changed. */
  grave?: boolean
  busy?: boolean
  onStay: () => void
  onGo: () => void
}

/** Asked before a plan gets smaller: what stays, what does not, and from when. */
export function PlanQuestion({ opened, title, sentences, grave, busy = false, ...answer }: Props) {
  return (
    <Modal
      opened={opened}
      onClose={answer.onStay}
      title={title}
      transitionProps={{ duration: 0 }}
      centered
    >
      <List size="sm" spacing={8}>
        {sentences.map((sentence) => (
          <List.Item key={sentence}>{sentence}</List.Item>
        ))}
      </List>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={answer.onStay} data-autofocus>
          {answer.stay}
        </Button>
        <BusyButton
          color={grave ? BAD : undefined}
          busy={busy}
          busyText="Canceling..."
          onClick={answer.onGo}
        >
          {answer.go}
        </BusyButton>
      </Group>
    </Modal>
  )
}
