import { Group, Stack, Text } from '@mantine/core'
import type { InvoicePage } from '#contract/sandbox.ts'
import { formatDay } from '../../formats.ts'
import { PlainButton } from '../../ui/plain-button.tsx'
import { money, planText } from '../../ui/prices.ts'
import { Quiet } from '../../ui/quiet.tsx'
import styles from '../billing.module.css'
import { Bill, type BillLine, PageHead, Panel } from '../panel.tsx'
import { invoiceStatus, StatusBadge } from '../status-badge.tsx'

/** An invoice of the sandbox, to be read and printed. */
export function TestInvoice({ page }: { page: InvoicePage }) {
  const { number, date, name, email } = page
  const { text, kind } = invoiceStatus(page.status)
  return (
    <Stack gap="lg" maw="40rem" mx="auto">
      <PageHead title={`Invoice ${number}`} backTo={page.backTo} back="Back to your profile" />
      <div className={styles.note} role="note">
        Test mode: no money changed hands, so this isn’t a real invoice.
      </div>
      <Panel title="Tessera">
        <Group justify="space-between" align="flex-start">
          <div>
            <Quiet>Billed to</Quiet>
            <Text fw={600}>{name}</Text>
            {name !== email && <Text size="sm">{email}</Text>}
          </div>
          <div>
            <Quiet>Date</Quiet>
            <Text mb={4}>{formatDay(date)}</Text>
            <StatusBadge kind={kind}>{text}</StatusBadge>
          </div>
        </Group>
        <Bill lines={billLines(page)} />
      </Panel>
      <Group>
        <PlainButton onClick={() => window.print()}>Print</PlainButton>
      </Group>
    </Stack>
  )
}

function billLines({ plan, amount, currency }: InvoicePage): BillLine[] {
  const price = plan?.price ?? amount
  const unused = `−${money(price - amount, currency)}`
  return [
    { what: plan ? planText(plan) : 'Tessera plan', amount: money(price, currency) },
    ...(price > amount ? [{ what: 'Unused part of your previous plan', amount: unused }] : []),
    { what: 'Total', amount: money(amount, currency), strong: true },
  ]
}
