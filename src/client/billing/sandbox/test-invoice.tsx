import { Group, Stack, Text } from '@mantine/core'
import { chargeInCents, plans } from '#contract/billing/plans.ts'
import type { PortalPage, TestInvoice } from '#contract/billing/sandbox.ts'
import { formatDay } from '../../formats.ts'
import { PlainButton } from '../../ui/plain-button.tsx'
import { money, planText } from '../../ui/prices.ts'
import { Quiet } from '../../ui/quiet.tsx'
import { Section } from '../../ui/section.tsx'
import styles from '../billing.module.css'
import { Bill, PageHead } from '../panel.tsx'
import { invoiceStatus, StatusBadge } from '../status-badge.tsx'

type Props = { invoice: TestInvoice; payer: PortalPage['payer'] }

/** An invoice of the sandbox, to be read and printed. */
export function PrintableInvoice({ invoice, payer: { name, email } }: Props) {
  const { number, date, amount, plan } = invoice
  const { text, kind } = invoiceStatus(invoice.status)
  const price = plan ? chargeInCents(plans[plan.tier], plan.billing) : amount
  const less = { what: 'Unused part of your previous plan', amount: `−${money(price - amount)}` }
  return (
    <Stack gap="lg" maw="40rem" mx="auto">
      <PageHead title={`Invoice ${number}`} backTo="/profile" back="Back to your profile" />
      <div className={styles.note} role="note">
        Test mode: no money changed hands, so this isn’t a real invoice.
      </div>
      <Section align="stretch" title="Tessera">
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
        <Bill
          lines={[
            { what: plan ? planText(plan) : 'Tessera plan', amount: money(price) },
            ...(price > amount ? [less] : []),
            { what: 'Total', amount: money(amount), strong: true },
          ]}
        />
      </Section>
      <Group>
        <PlainButton onClick={() => window.print()}>Print</PlainButton>
      </Group>
    </Stack>
  )
}
