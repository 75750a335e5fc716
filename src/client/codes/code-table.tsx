import { Pagination, Table } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { PAGE_SIZE, type QrCode } from '#contract/codes.ts'
import { CodeRow } from './code-row.tsx'
import styles from './code-table.module.css'

const columns = ['QR Code', 'URL', 'Stats', 'Created', 'Status', 'Actions']

type Props = {
  codes: QrCode[]
  hostUrl: string
  renderScans: (code: QrCode) => ReactNode
  onEdit: (code: QrCode) => void
  onDelete: (code: QrCode) => void
}

/** A page of rows at a time: each row asks for its picture and its numbers. */
export function CodeTable({ codes, ...row }: Props) {
  const [page, setPage] = useState(1)
  const pages = Math.max(1, Math.ceil(codes.length / PAGE_SIZE))
  const current = Math.min(page, pages)
  const visible = codes.slice((current - 1) * PAGE_SIZE, current * PAGE_SIZE)
  return (
    <>
      <div className={styles.scroll}>
        <Table role="table" className={styles.table} verticalSpacing="sm" horizontalSpacing="md">
          <Table.Thead role="rowgroup">
            <Table.Tr role="row">
              {columns.map((column) => (
                <Table.Th key={column} role="columnheader" scope="col">
                  {column}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody role="rowgroup">
            {visible.map((code) => (
              <CodeRow key={code.id} code={code} {...row} />
            ))}
          </Table.Tbody>
        </Table>
      </div>
      {pages > 1 && (
        <Pagination
          total={pages}
          value={current}
          onChange={setPage}
          p="md"
          getControlProps={(control) => ({ 'aria-label': `${control} page` })}
          getItemProps={(number) => ({ 'aria-label': `Page ${number}` })}
        />
      )}
    </>
  )
}
