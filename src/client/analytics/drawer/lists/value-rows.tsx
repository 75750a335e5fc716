import { Box } from '@mantine/core'
import { type CSSProperties, type ReactNode, useState } from 'react'
import { formatCount } from '../../../formats.ts'
import styles from './value-rows.module.css'

export type ValueRow = {
  id: string
  name: string
  /** Its figure: "120 scans". */
  text: string
  /** Its bar is as long as these are many, compared with those of the first row. */
  scans?: number
  share?: string
  isPressed?: boolean
  /** Missing if a click on the row does nothing. */
  onClick?: () => void
}

/** Names with their figures, as bars. */
export function ValueRows({ rows }: { rows: readonly ValueRow[] }) {
  const most = rows[0]?.scans || 1
  return (
    <Box component="ul" display="grid" style={{ gap: 2 }}>
      {rows.map((row) => (
        <li key={row.id}>
          <Row {...row} part={(row.scans ?? 0) / most} />
        </li>
      ))}
    </Box>
  )
}

function Row({ name, text, share, part, isPressed, onClick }: ValueRow & { part: number }) {
  const look = { className: styles.row, style: { '--part': part } as CSSProperties }
  const texts = (
    <>
      <bdi className={styles.name}>{name}</bdi> <span className={styles.scans}>{text}</span>{' '}
      {share && <span className={styles.share}>{share}</span>}
    </>
  )
  if (!onClick) return <div {...look}>{texts}</div>
  return (
    <button {...look} type="button" aria-pressed={isPressed} onClick={onClick}>
      {texts}
    </button>
  )
}

/** Rows that a list shows at first, and rows that come with each further click. */
export const SHOWN = 8
const MORE = 100

/** A list that begins short: a click shows more of it. */
export function GrowingRows({ rows }: { rows: readonly ValueRow[] }) {
  const [count, setCount] = useState(SHOWN)
  return (
    <>
      <ValueRows rows={rows.slice(0, count)} />
      {rows.length > count && (
        <More onClick={() => setCount(count + MORE)}>
          Show {formatCount(Math.min(rows.length - count, MORE))} more
        </More>
      )}
    </>
  )
}

type MoreProps = { isOpen?: boolean; onClick: () => void; children: ReactNode }

export const More = ({ isOpen, ...button }: MoreProps) => (
  <button type="button" className={styles.more} aria-expanded={isOpen} {...button} />
)

/** A sentence below a list, or in its place. */
export const Note = (props: { children: ReactNode }) => (
  <Box component="p" mt={8} c="dimmed" fz="sm" {...props} />
)
