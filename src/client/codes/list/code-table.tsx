import { Pagination, type PaginationProps } from '@mantine/core'
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import { memo, startTransition, useEffect, useState } from 'react'
import type { QrCode } from '#contract/codes/codes.ts'
import {
  type CodeList,
  columnOf,
  isDescending,
  type ListState,
  nextSort,
  type Sort,
  type SortColumn,
} from './code-list.ts'
import { CodeRow, type RowProps, Tick } from './code-row.tsx'
import styles from './code-table.module.css'
import type { Selection } from './selection.ts'

const columns: { title: string; column: SortColumn }[] = [
  { title: 'QR Code', column: 'name' },
  { title: 'URL', column: 'url' },
  { title: 'Stats', column: 'scans' },
  { title: 'Created', column: 'created' },
  { title: 'Status', column: 'status' },
]

type Props = RowProps & {
  list: CodeList
  selection: Selection
  sort: Sort
  onChange: (change: Partial<ListState>) => void
}

/**
 * Its parts say their roles: screen readers would not see a table that is drawn as cards otherwise.
 * One page of rows: each row fetches its picture and its numbers. Typing in the search does not draw
 * it again until there is another list to show.
 */
export const CodeTable = memo(function CodeTable(props: Props) {
  const { list, selection, sort, onChange, ...row } = props
  const rows = useGradually(list.rows)
  return (
    <>
      {/* On a phone a slide of the finger reaches what is too wide. */}
      <div style={{ overflowX: 'auto' }}>
        <table role="table" className={styles.table}>
          <thead role="rowgroup">
            <tr role="row">
              <th role="columnheader" scope="col" className={styles.tick}>
                <SelectPage rows={list.rows} selection={selection} />
              </th>
              {columns.map((about) => (
                <SortHeader
                  key={about.column}
                  {...about}
                  sort={sort}
                  onSort={(next) => onChange({ sort: next })}
                />
              ))}
              <th role="columnheader" scope="col">
                Actions
              </th>
            </tr>
          </thead>
          <tbody role="rowgroup">
            {rows.map((code) => (
              <CodeRow
                key={code.id}
                code={code}
                isSelected={selection.has(code)}
                onSelect={selection.toggle}
                {...row}
              />
            ))}
          </tbody>
        </table>
      </div>
      {list.pages > 1 && (
        <Pages
          total={list.pages}
          value={list.page}
          onChange={(page) => onChange({ page })}
          p="md"
        />
      )}
    </>
  )
})

function SelectPage({ rows, selection }: { rows: QrCode[]; selection: Selection }) {
  const selected = rows.filter(selection.has).length
  return (
    <Tick
      aria-label="Select all on this page"
      checked={selected === rows.length}
      indeterminate={selected > 0 && selected < rows.length}
      onChange={(event) => selection.set(rows, event.currentTarget.checked)}
    />
  )
}

type SortHeaderProps = {
  title: string
  column: SortColumn
  sort: Sort
  onSort: (sort: Sort) => void
}

/** The header of a sortable column. */
function SortHeader({ title, column, sort, onSort }: SortHeaderProps) {
  const sorted = columnOf(sort) === column
  const direction = isDescending(sort) ? 'descending' : 'ascending'
  const Arrow = !sorted ? ChevronsUpDown : isDescending(sort) ? ArrowDown : ArrowUp
  return (
    <th role="columnheader" scope="col" aria-sort={sorted ? direction : undefined}>
      <button
        type="button"
        className={styles.sort}
        data-sorted={sorted || undefined}
        onClick={() => onSort(nextSort(sort, column))}
      >
        {title}
        <Arrow size={13} />
      </button>
    </th>
  )
}

/** Pagination with labels for screen readers. */
export function Pages(props: PaginationProps) {
  return (
    <Pagination
      {...props}
      getControlProps={(control) => ({ 'aria-label': `${control} page` })}
      getItemProps={(number) => ({ 'aria-label': `Page ${number}` })}
    />
  )
}

/** Drawn at once: what fits on the first screen of a phone or a desktop. */
const FIRST = 8
/** Drawn with each further step. */
const STEP = 4

/**
 * The first items of a long list, then more with every step until all are there. Between the steps
 * the browser paints and answers: twenty-five rows in one go keep a slow phone busy for a quarter of
 * a second.
 */
function useGradually<Item>(items: Item[]): Item[] {
  const [drawn, setDrawn] = useState(FIRST)
  const isWhole = drawn >= items.length
  useEffect(() => {
    if (!isWhole) startTransition(() => setDrawn(drawn + STEP))
  }, [isWhole, drawn])
  return isWhole ? items : items.slice(0, drawn)
}
