import { Text } from '@mantine/core'
import type { Invoice } from '#contract/billing.ts'
import { Panel } from '../panel.tsx'
import { InvoiceTable } from '../plans/invoice-table.tsx'

export function PortalInvoices({ invoices }: { invoices: Invoice[] }) {
  return (
    <Panel title="Invoices">
      {invoices.length === 0 ? (
        <Text c="dimmed">No invoices yet.</Text>
      ) : (
        <InvoiceTable invoices={invoices} />
      )}
    </Panel>
  )
}
