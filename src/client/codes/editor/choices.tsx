import {
  Box,
  type DataAttributes,
  Radio,
  type RadioCardProps,
  type RadioGroupProps,
  SimpleGrid,
  type SimpleGridProps,
  Text,
} from '@mantine/core'
import type { ReactNode } from 'react'
import { Line } from '../../ui/quiet.tsx'
import styles from './fields.module.css'

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
