import { Anchor, Button, Table } from '@mantine/core'
import { ExternalLink } from 'lucide-react'
import { useState } from 'react'
import type { Invoice } from '#contract/billing/billing.ts'
import { formatDay } from '../../formats.ts'
import { LoadFailure } from '../../ui/messages/failure-alert.tsx'
import { PartSpinner } from '../../ui/page/page.tsx'
import { money } from '../../ui/prices.ts'
import { Quiet } from '../../ui/quiet.tsx'
import type { useInvoices } from '../queries.ts'
import { invoiceStatus, StatusBadge } from '../status-badge.tsx'
import styles from './invoices.module.css'

/** More than these are shown on request. */
const SHOWN_AT_FIRST = 6

export function Invoices({ invoices }: { invoices: ReturnType<typeof useInvoices> }) {
  const [all, setAll] = useState(false)
  const { data } = invoices
  if (invoices.isError) return <LoadFailure what="Your invoices" reading={invoices} />
  if (!data) return <PartSpinner label="Loading your invoices" py="md" />
  if (data.length === 0) {
    return <Quiet>No invoices yet. You’ll see one here after your first payment.</Quiet>
  }
  return (
    <div>
      <InvoiceTable invoices={all ? data : data.slice(0, SHOWN_AT_FIRST)} />
      {!all && data.length > SHOWN_AT_FIRST && (
        <Button variant="subtle" size="compact-sm" mt="xs" ml={-8} onClick={() => setAll(true)}>
          Show all {data.length} invoices
        </Button>
      )}
    </div>
  )
}

export function InvoiceTable({ invoices }: { invoices: Invoice[] }) {
  return (
    <Table verticalSpacing="sm" horizontalSpacing={0} tabularNums className={styles.invoices}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Date</Table.Th>
          <Table.Th>Invoice</Table.Th>
          <Table.Th>Status</Table.Th>
          <Table.Th ta="right">Amount</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {invoices.map((invoice) => (
          <InvoiceRow key={invoice.id} invoice={invoice} />
        ))}
      </Table.Tbody>
    </Table>
  )
}

function InvoiceRow({ invoice }: { invoice: Invoice }) {
  const { date, amount, currency } = invoice
  const { text, kind } = invoiceStatus(invoice.status)
  return (
    <Table.Tr>
      <Table.Td>{formatDay(date)}</Table.Td>
      <Table.Td>
        <InvoiceNumber invoice={invoice} />
      </Table.Td>
      <Table.Td>
        <StatusBadge kind={kind}>{text}</StatusBadge>
      </Table.Td>
      <Table.Td ta="right">{money(amount, currency)}</Table.Td>
    </Table.Tr>
  )
}

function InvoiceNumber({ invoice: { number, url } }: { invoice: Invoice }) {
  if (!url) return <span className={styles.number}>{number ?? '–'}</span>
  return (
    <Anchor href={url} target="_blank" rel="noopener noreferrer" size="sm">
      <span className={styles.number}>{number ?? 'View'}</span>
      <ExternalLink size={14} role="img" aria-label="opens in a new tab" />
    </Anchor>
  )
}
