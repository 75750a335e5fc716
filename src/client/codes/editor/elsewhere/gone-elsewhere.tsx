import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { BIN_DAYS } from '#contract/code-values.ts'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { BAD_TEXT } from '../../../ui/theme.ts'

type Props = { isEdit: boolean; busy: boolean; onSaveAsNew: () => void; onClose: () => void }

/** The code was deleted elsewhere while its form was open. What was typed is not lost. */
export function GoneElsewhere({ isEdit, busy, onSaveAsNew, onClose }: Props) {
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => panel.current?.focus(), [])
  return (
    <Alert
      ref={panel}
      tabIndex={-1}
      mb="md"
      variant="outline"
      color={BAD_TEXT}
      role="group"
      title={isEdit ? 'This QR code was deleted somewhere else' : 'This form was open for too long'}
    >
      <Stack gap="sm" align="flex-start">
        <Text size="sm">
          {isEdit
            ? `What you typed is still here. You can save it as a new QR code, which gets a link of its own. If the old code is printed, close this form and restore it from the bin, where it stays for ${BIN_DAYS} days.`
            : 'What you typed is still here. You can save it as a new QR code.'}
        </Text>
        <Group gap="sm">
          <BusyButton busy={busy} busyText="Saving..." onClick={onSaveAsNew}>
            Save as a new QR code
          </BusyButton>
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}
