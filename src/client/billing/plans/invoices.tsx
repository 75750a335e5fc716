import { Button, Center, Text } from '@mantine/core'
import { useState } from 'react'
import type { Invoice } from '#contract/billing.ts'
import { LoadFailure } from '../../ui/messages/failure-alert.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import type { useInvoices } from '../queries.ts'
import { InvoiceTable } from './invoice-table.tsx'

/** More than these are shown on request. */
const SHOWN_AT_FIRST = 6

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
  return <NewestInvoices invoices={invoices.data} />
}

function NewestInvoices({ invoices }: { invoices: Invoice[] }) {
  const [all, setAll] = useState(false)
  const shown = all ? invoices : invoices.slice(0, SHOWN_AT_FIRST)
  return (
    <div>
      <InvoiceTable invoices={shown} />
      {shown.length < invoices.length && (
        <Button variant="subtle" size="compact-sm" mt="xs" ml={-8} onClick={() => setAll(true)}>
          Show all {invoices.length} invoices
        </Button>
      )}
    </div>
  )
}
