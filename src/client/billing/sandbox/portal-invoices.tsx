import { Table, Text } from '@mantine/core'
import type { Invoice } from '#contract/billing.ts'
import { formatDay } from '../../ui/dates.ts'
import { amountText } from './amounts.ts'
import { Panel } from './panel.tsx'

/** Invoices' statuses as they are said. */
const statuses: Record<string, string> = {
  paid: 'Paid',
  open: 'Not paid yet',
  uncollectible: 'Not paid',
}

export function PortalInvoices({ invoices }: { invoices: Invoice[] }) {
  return (
    <Panel title="Invoices">
      {invoices.length === 0 ? (
        <Text c="dimmed">No invoices yet.</Text>
      ) : (
        <Table horizontalSpacing={0}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Date</Table.Th>
              <Table.Th visibleFrom="xs">Number</Table.Th>
              <Table.Th>Status</Table.Th>
              <Table.Th ta="right">Amount</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {invoices.map(({ id, number, date, status, amount }) => (
              <Table.Tr key={id}>
                <Table.Td>{formatDay(date)}</Table.Td>
                <Table.Td visibleFrom="xs">{number}</Table.Td>
                <Table.Td>{statuses[status] ?? status}</Table.Td>
                <Table.Td ta="right">{amountText(amount)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Panel>
  )
}
