import { Table, UnstyledButton } from '@mantine/core'
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import { columnOf, isDescending, nextSort, type Sort, type SortColumn } from './code-list.ts'
import styles from './code-table.module.css'

type Props = { title: string; column: SortColumn; sort: Sort; onSort: (sort: Sort) => void }

/** The head of a column that the list can be sorted by. */
export function SortHeader({ title, column, sort, onSort }: Props) {
  const sorted = columnOf(sort) === column
  const direction = isDescending(sort) ? 'descending' : 'ascending'
  const Arrow = !sorted ? ChevronsUpDown : isDescending(sort) ? ArrowDown : ArrowUp
  return (
    <Table.Th role="columnheader" scope="col" aria-sort={sorted ? direction : undefined}>
      <UnstyledButton
        className={styles.sort}
        data-sorted={sorted || undefined}
        onClick={() => onSort(nextSort(sort, column))}
      >
        {title}
        <Arrow size={13} aria-hidden />
      </UnstyledButton>
    </Table.Th>
  )
}
