import { Box } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { formatCount } from '../../../formats.ts'
import styles from './value-list.module.css'

/** Rows that a list shows at first, and rows that come with each further click. */
const [SHOWN, MORE] = [8, 100]

type Props<Item> = { items: readonly Item[]; children: (item: Item) => ReactNode }

/** A list that begins short: a click shows more of it. */
export function GrowingList<Item extends { name: string; id?: string }>(props: Props<Item>) {
  const { items, children } = props
  const [count, setCount] = useState(SHOWN)
  return (
    <>
      <Box component="ul" display="grid" style={{ gap: 2 }}>
        {items.slice(0, count).map((item) => (
          <li key={item.id ?? item.name}>{children(item)}</li>
        ))}
      </Box>
      {items.length > count && (
        <button type="button" className={styles.more} onClick={() => setCount(count + MORE)}>
          Show {formatCount(Math.min(items.length - count, MORE))} more
        </button>
      )}
    </>
  )
}
