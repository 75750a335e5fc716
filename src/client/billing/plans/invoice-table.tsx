import { Anchor, Table } from '@mantine/core'
import { ExternalLink } from 'lucide-react'
import type { Invoice } from '#contract/billing.ts'
import { formatDay } from '../../dates.ts'
import { money } from '../../ui/formats.ts'
import { StatusBadge } from '../status-badge.tsx'
import { invoiceStatus } from './invoice-status.ts'
import styles from './invoice-table.module.css'

export function InvoiceTable({ invoices }: { invoices: Invoice[] }) {
  return (
    <Table verticalSpacing="sm" horizontalSpacing={0} className={styles.invoices}>
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
