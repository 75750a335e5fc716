import {
  Accordion,
  Group,
  Input,
  SegmentedControl,
  type SegmentedControlProps,
  Stack,
  Text,
} from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'
import { useStacked } from '../../ui/columns.tsx'
import styles from './fields.module.css'

type SectionProps = {
  title: string
  /** The choices in it, shown in the head while it is folded */
  chosen: readonly string[]
  /** Opens it: something in it is wrong */
  hasError?: boolean
  children: ReactNode
}

/** Fields that few people change: folded until it is opened, and not drawn before. */
export function Section({ title, chosen, hasError = false, children }: SectionProps) {
  const [opened, setOpened] = useState<string | null>(null)
  const [wasOpen, setWasOpen] = useState(false)
  const isOpen = opened !== null || hasError
  if (isOpen && !wasOpen) setWasOpen(true)
  return (
    <Accordion
      variant="contained"
      value={isOpen ? SECTION : null}
      onChange={setOpened}
      styles={{
        item: { '--item-filled-color': 'transparent', borderColor: 'var(--line)' },
        control: { color: 'inherit' },
        label: { paddingBlock: 10, fontSize: 'var(--mantine-font-size-sm)', fontWeight: 600 },
      }}
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

/** Folded on a phone, in sight on a desk. */
export function Fold(section: SectionProps) {
  return useStacked() ? <Section {...section} /> : section.children
}

type RangeProps = {
  label: string
  value: number
  min: number
  max: number
  step?: number
  /** The value as it is read out and shown */
  words: string
  onChange: (value: number) => void
  /** Below the slider */
  children?: ReactNode
}

/** The browser's own slider: it works by touch and by keyboard, and in forced colours. */
export function Range({ label, words, onChange, children, ...slider }: RangeProps) {
  const id = useId()
  return (
    <div className={styles.range}>
      <Group gap={8} align="baseline" justify="space-between" wrap="nowrap">
        <Text component="label" htmlFor={id} size="sm" fw={500}>
          {label}
        </Text>
        <Text component="span" size="sm" c="dimmed" aria-hidden>
          {words}
        </Text>
      </Group>
      <input
        id={id}
        type="range"
        {...slider}
        aria-valuetext={words}
        onChange={(event) => onChange(event.target.valueAsNumber)}
      />
      {children}
    </div>
  )
}

type SegmentsProps<Value extends string> = SegmentedControlProps<Value> & { label: string }

/** A few values to choose from, beside each other, below the name of the choice. */
export function Segments<Value extends string>({ label, ...choice }: SegmentsProps<Value>) {
  const id = useId()
  return (
    <div>
      <Input.Label id={id} labelElement="div">
        {label}
      </Input.Label>
      <SegmentedControl fullWidth aria-labelledby={id} {...choice} />
    </div>
  )
}
