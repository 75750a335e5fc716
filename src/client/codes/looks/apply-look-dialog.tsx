import { Button, Center, Group, Modal, Radio, Text } from '@mantine/core'
import { Palette } from 'lucide-react'
import { useState } from 'react'
import type { QrCode } from '#contract/codes.ts'
import type { KeptLook } from '#contract/pictures/looks.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadFailure } from '../../ui/messages/failure-alert.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { ChoiceCard } from '../editor/choice-card.tsx'
import { LookSample } from './look-sample.tsx'
import styles from './looks.module.css'
import { useApplyLook, useLooks } from './queries.ts'

type Props = { opened: boolean; codes: readonly QrCode[]; onClose: () => void }

/** Gives the chosen codes one of the account's styles. */
export function ApplyLookDialog({ opened, onClose, ...props }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title="Use a style">
      <Looks {...props} onClose={onClose} />
    </Modal>
  )
}

function Looks(props: Omit<Props, 'opened'>) {
  const looks = useLooks()
  if (looks.isError) {
    return <LoadFailure what="Your styles" error={looks.error} onRetry={looks.refetch} />
  }
  if (!looks.data) {
    return (
      <Center py={56}>
        <Spinner label="Loading your styles" />
      </Center>
    )
  }
  if (looks.data.length === 0) {
    return (
      <EmptyState
        icon={Palette}
        title="No styles yet"
        text="Open a QR code, make it look as you like, and press “Save this style”."
      />
    )
  }
  return <Choices looks={looks.data} {...props} />
}

function Choices({ looks, codes, onClose }: Omit<Props, 'opened'> & { looks: KeptLook[] }) {
  const [id, setId] = useState('')
  const apply = useApplyLook()
  const look = looks.find((one) => one.id === id)
  const count = codes.length.toLocaleString('en-US')
  const named = codes.length === 1 ? 'this QR code' : `${count} QR codes`
  const run = () => {
    if (look) apply.mutate({ look, codes }, { onSuccess: onClose })
  }
  return (
    <>
      <Text size="sm">
        The look of {named} changes, in every file that you download from now on. What is printed
        keeps working.
      </Text>
      <Radio.Group value={id} onChange={setId} aria-label="My styles">
        <div className={styles.list}>
          {looks.map((one, index) => (
            <ChoiceCard
              key={one.id}
              value={one.id}
              chosen={id}
              isFirst={index === 0}
              className={styles.card}
              p={8}
            >
              <LookSample look={one.look} />
              <Text component="span" size="sm" fw={600} className={styles.name}>
                {one.name}
              </Text>
            </ChoiceCard>
          ))}
        </div>
      </Radio.Group>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <BusyButton busy={apply.isPending} busyText="Changing..." disabled={!look} onClick={run}>
          Change {named}
        </BusyButton>
      </Group>
    </>
  )
}
