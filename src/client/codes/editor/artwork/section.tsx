import { Accordion, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import styles from '../fields.module.css'

type Props = {
  title: string
  /** What is chosen in it, so that nobody has to unfold it to see */
  chosen: readonly string[]
  /** Opens it: something in it is wrong */
  hasError?: boolean
  children: ReactNode
}

/** What few people change: folded until somebody opens it, and not drawn before. */
export function Section({ title, chosen, hasError = false, children }: Props) {
  const [opened, setOpened] = useState<string | null>(null)
  const [wasOpen, setWasOpen] = useState(false)
  const isOpen = opened !== null || hasError
  if (isOpen && !wasOpen) setWasOpen(true)
  return (
    <Accordion
      variant="contained"
      value={isOpen ? SECTION : null}
      onChange={setOpened}
      classNames={{ item: styles.item, control: styles.control, label: styles.label }}
    >
      <Accordion.Item value={SECTION}>
        <Accordion.Control>
          {title}{' '}
          <Text component="span" size="sm" c="dimmed" ml={4}>
            {chosen.join(', ')}
          </Text>
        </Accordion.Control>
        <Accordion.Panel>{wasOpen && <Stack gap="md">{children}</Stack>}</Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  )
}

const SECTION = 'section'
