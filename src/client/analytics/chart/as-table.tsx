import { Box, VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import { formatCount } from '../../formats.ts'
import styles from './scans-chart.module.css'

/** A row begins with its name. */
type Row = readonly (string | number)[]
export type Table = { head: readonly string[]; rows: readonly Row[] }

type Props = Table & {
  /** Names the part that scrolls: "Scans as a table". */
  label: string
  caption: string
  foot?: Row
  /** Only the last column has numbers. */
  hasTexts?: boolean
}

/** A chart's numbers for people who read rather than look. They are drawn when a person opens them. */
export function AsTable({ label, table }: { label: string; table: () => Omit<Props, 'label'> }) {
  const [opened, setOpened] = useState(false)
  return (
    <Box
      component="details"
      mt={4}
      fz="sm"
      onToggle={({ currentTarget }) => setOpened(currentTarget.open)}
    >
      <summary className={styles.summary}>Show as a table</summary>
      {opened && <NumbersTable label={label} {...table()} />}
    </Box>
  )
}

export function NumbersTable({ label, caption, head, rows, foot, hasTexts }: Props) {
  return (
    <Box
      component="section"
      pos="relative"
      mah={320}
      mt={8}
      bd="1px solid var(--line)"
      bdrs="md"
      style={{ overflow: 'auto' }}
      // The keyboard scrolls it.
      tabIndex={0}
      aria-label={label}
    >
      <table className={styles.table} data-texts={hasTexts || undefined}>
        <caption>
          <VisuallyHidden>{caption}</VisuallyHidden>
        </caption>
        <thead>
          <tr>
            {head.map((text, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two codes may have one name
              <th key={index} scope="col">
                <bdi>{text}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two cities may have one name
            <TableRow key={index} row={row} />
          ))}
        </tbody>
        {foot && (
          <tfoot>
            <TableRow row={foot} />
          </tfoot>
        )}
      </table>
    </Box>
  )
}

function TableRow({ row: [name, ...cells] }: { row: Row }) {
  return (
    <tr>
      <th scope="row">
        <bdi>{name}</bdi>
      </th>
      {cells.map((cell, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its column
        <td key={index}>{typeof cell === 'number' ? formatCount(cell) : cell}</td>
      ))}
    </tr>
  )
}
