import {
  Accordion,
  Box,
  type DataAttributes,
  Group,
  Input,
  Radio,
  type RadioCardProps,
  type RadioGroupProps,
  SegmentedControl,
  type SegmentedControlProps,
  SimpleGrid,
  type SimpleGridProps,
  Stack,
  Text,
} from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'
import { useStacked } from '../../ui/columns.tsx'
import { Line } from '../../ui/quiet.tsx'
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

type Props<Item> = Omit<RadioGroupProps, 'value' | 'onChange' | 'children'> & {
  items: readonly Item[]
  chosen: Item | undefined
  /** The value of an item, for the radio; the item itself if it is a text */
  idOf?: (item: Item) => string
  onChange: (item: Item) => void
  /** How the cards stand */
  grid: SimpleGridProps
  /** Small cards, each with its name below its picture. */
  isTile?: boolean
  card?: (item: Item) => Partial<RadioCardProps> & DataAttributes
  /** At the end of a card, above it */
  menu?: (item: Item) => ReactNode
  /** The contents of a card */
  children: (item: Item) => ReactNode
}

/** Cards of which one is chosen. Tab stops at that one alone, or else at the first; arrows go on from there. */
export function Choices<Item>(props: Props<Item>) {
  const { items, chosen, idOf = String, onChange, ...more } = props
  const { grid, isTile, card, menu, children, ...group } = more
  const value = chosen === undefined ? '' : idOf(chosen)
  const values = items.map((item) => idOf(item))
  const stop = values.includes(value) ? value : values[0]
  const choose = (one: string) => onChange(items[values.indexOf(one)] as Item)
  return (
    <Radio.Group {...group} value={value} onChange={choose}>
      {items.length > 0 && (
        <SimpleGrid spacing={8} mt={4} {...grid}>
          {items.map((item) => (
            <Box key={idOf(item)} pos="relative" miw={0} display="grid">
              <Radio.Card
                type="button"
                value={idOf(item)}
                tabIndex={idOf(item) === stop ? 0 : -1}
                className={styles.card}
                data-tile={isTile || undefined}
                {...card?.(item)}
              >
                {children(item)}
              </Radio.Card>
              {menu?.(item)}
            </Box>
          ))}
        </SimpleGrid>
      )}
    </Radio.Group>
  )
}

/** A card's name, and a line about it. */
export function CardText({ name, line }: { name: string; line?: ReactNode }) {
  return (
    <Box component="span" miw={0}>
      <Text component="span" display="block" size="sm" fw={600}>
        {name}
      </Text>
      {line && <Line>{line}</Line>}
    </Box>
  )
}
