import { List, SimpleGrid, Stack, Text } from '@mantine/core'
import { plans } from '#contract/plans.ts'
import type { ChangePage } from '#contract/sandbox.ts'
import { formatDay } from '../../ui/formats.ts'
import { PanelBoundary } from '../../ui/panel-boundary.tsx'
import { Bill, type BillLine } from '../bill.tsx'
import { Panel } from '../panel.tsx'
import { amountText, planText, priceText } from './amounts.ts'
import { ChangeConfirmation } from './change-confirmation.tsx'
import styles from './columns.module.css'
import { PageHead } from './page-head.tsx'
import { planDifferences } from './plan-differences.ts'

/** Another plan in the place of the one that is paid for: what it costs now, and what changes. */
export function PlanChange({ page, path }: { page: ChangePage; path: string }) {
  const { from, to } = page
  return (
    <Stack gap="lg">
      <PageHead
        title={from.tier === to.tier ? 'Change your billing' : `Change to ${plans[to.tier].name}`}
        backTo={page.backTo}
        back="Back to Plans"
      />
      {/* One boundary around both: nobody agrees to a price that they cannot read. */}
      <PanelBoundary what="The change of plan">
        <Change page={page} path={path} />
      </PanelBoundary>
    </Stack>
  )
}

function Change({ page, path }: { page: ChangePage; path: string }) {
  const { from, to } = page
  const differences = planDifferences(from.tier, to.tier)
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg" className={styles.columns}>
      <Panel title="What changes">
        <List size="sm" spacing={6}>
          <List.Item>
            {planText(to)} (now {planText(from)})
          </List.Item>
          {differences.map((difference) => (
            <List.Item key={difference}>{difference}</List.Item>
          ))}
          <List.Item>
            Renews on {formatDay(page.renewsAt)} for {priceText(page.price, to.billing)}
          </List.Item>
        </List>
        <Text size="sm" c="dimmed">
          Your QR codes go on working, whatever the plan.
        </Text>
      </Panel>
      <Panel title="What you pay now">
        <Bill lines={billOf(page)} />
        {page.creditLeft > 0 && (
          <Text size="sm" c="dimmed">
            {amountText(page.creditLeft)} are left over and pay your next bills.
          </Text>
        )}
        <ChangeConfirmation due={page.due} path={path} />
      </Panel>
    </SimpleGrid>
  )
}

function billOf({ from, to, charge, unused, credit, due, renewsAt }: ChangePage): BillLine[] {
  return [
    { what: `${planText(to)}, to ${formatDay(renewsAt)}`, amount: amountText(charge) },
    { what: `Not used of ${planText(from)}`, amount: amountText(-unused) },
    ...(credit > 0 ? [{ what: 'Your credit', amount: amountText(-credit) }] : []),
    { what: 'Due now', amount: amountText(due), strong: true },
  ]
}
