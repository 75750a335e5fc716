import { Pagination, Table } from '@mantine/core'
import { memo, type ReactNode } from 'react'
import type { QrCode } from '#contract/codes.ts'
import type { CodeList, ListState, Sort, SortColumn } from './code-list.ts'
import { CodeRow } from './code-row.tsx'
import styles from './code-table.module.css'
import { SortHeader } from './sort-header.tsx'

const columns: { title: string; column?: SortColumn }[] = [
  { title: 'QR Code', column: 'name' },
  { title: 'URL', column: 'url' },
  { title: 'Stats' },
  { title: 'Created', column: 'created' },
  { title: 'Status', column: 'status' },
  { title: 'Actions' },
]

export type RowProps = {
  hostUrl: string
  renderScans: (code: QrCode) => ReactNode
  onEdit: (code: QrCode) => void
  onDelete: (code: QrCode) => void
}

type Props = RowProps & {
  list: CodeList
  sort: Sort
  onChange: (change: Partial<ListState>) => void
}

/**
 * A page of rows at a time: each row asks for its picture and its numbers. It stands still while
 * somebody types, until there is another list to show.
 */
export const CodeTable = memo(function CodeTable({ list, sort, onChange, ...row }: Props) {
  return (
    <>
      <div className={styles.scroll}>
        <Table role="table" className={styles.table} verticalSpacing="sm" horizontalSpacing="md">
          <Table.Thead role="rowgroup">
            <Table.Tr role="row">
              {columns.map(({ title, column }) =>
                column ? (
                  <SortHeader
                    key={title}
                    {...{ title, column, sort }}
                    onSort={(next) => onChange({ sort: next })}
                  />
                ) : (
                  <Table.Th key={title} role="columnheader" scope="col">
                    {title}
                  </Table.Th>
                ),
              )}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody role="rowgroup">
            {list.rows.map((code) => (
              <CodeRow key={code.id} code={code} {...row} />
            ))}
          </Table.Tbody>
        </Table>
      </div>
      {list.pages > 1 && (
        <Pagination
          total={list.pages}
          value={list.page}
          onChange={(page) => onChange({ page })}
          p="md"
          getControlProps={(control) => ({ 'aria-label': `${control} page` })}
          getItemProps={(number) => ({ 'aria-label': `Page ${number}` })}
        />
      )}
    </>
  )
})
