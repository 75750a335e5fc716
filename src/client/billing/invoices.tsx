import { Anchor, Badge, Button, Center, Table, Text } from '@mantine/core'
import { ExternalLink } from 'lucide-react'
import { useState } from 'react'
import type { Invoice } from '#contract/billing.ts'
import { formatDay } from '../ui/dates.ts'
import { LoadFailure } from '../ui/load-failure.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { BAD, DOUBTFUL, GOOD } from '../ui/theme.ts'
import styles from './billing-card.module.css'
import { amountText, statusText } from './invoice-text.ts'
import type { useInvoices } from './queries.ts'

/** More than these are shown on request. */
const SHOWN_AT_FIRST = 6

const colours: Record<string, string> = { paid: GOOD, open: DOUBTFUL, uncollectible: BAD }

export function Invoices({ invoices }: { invoices: ReturnType<typeof useInvoices> }) {
  if (invoices.isPending) {
    return (
      <Center py="md">
        <Spinner label="Loading your invoices" />
      </Center>
    )
  }
  if (invoices.isError) {
    return <LoadFailure what="Your invoices" error={invoices.error} onRetry={invoices.refetch} />
  }
  if (invoices.data.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No invoices yet. The first one comes with your first payment.
      </Text>
    )
  }
  return <InvoiceTable invoices={invoices.data} />
}

function InvoiceTable({ invoices }: { invoices: Invoice[] }) {
  const [all, setAll] = useState(false)
  const shown = all ? invoices : invoices.slice(0, SHOWN_AT_FIRST)
  return (
    <div>
      <Table verticalSpacing="sm" horizontalSpacing={0} className={styles.invoices}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Date</Table.Th>
            <Table.Th>Amount</Table.Th>
            <Table.Th>Status</Table.Th>
            <Table.Th ta="right">Invoice</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map((invoice) => (
            <InvoiceRow key={invoice.id} invoice={invoice} />
          ))}
        </Table.Tbody>
      </Table>
      {shown.length < invoices.length && (
        <Button variant="subtle" size="compact-sm" mt="xs" ml={-8} onClick={() => setAll(true)}>
          Show all {invoices.length} invoices
        </Button>
      )}
    </div>
  )
}

function InvoiceRow({ invoice }: { invoice: Invoice }) {
  const { date, number, status, url } = invoice
  return (
    <Table.Tr>
      <Table.Td>{formatDay(date)}</Table.Td>
      <Table.Td>{amountText(invoice)}</Table.Td>
      <Table.Td>
        <Badge tt="none" color={colours[status] ?? 'gray.7'}>
          {statusText(status)}
        </Badge>
      </Table.Td>
      <Table.Td ta="right">
        {url ? (
          <Anchor href={url} target="_blank" rel="noopener noreferrer" size="sm">
            <span className={styles.number}>{number ?? 'View'}</span>
            <ExternalLink size={14} role="img" aria-label="opens in a new tab" />
          </Anchor>
        ) : (
          (number ?? '–')
        )}
      </Table.Td>
    </Table.Tr>
  )
}
