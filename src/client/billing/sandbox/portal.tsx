import { SimpleGrid, Stack } from '@mantine/core'
import type { PortalPage } from '#contract/sandbox.ts'
import styles from './columns.module.css'
import { PageHead } from './page-head.tsx'
import { PortalCard } from './portal-card.tsx'
import { PortalClock } from './portal-clock.tsx'
import { PortalInvoices } from './portal-invoices.tsx'
import { PortalPlan } from './portal-plan.tsx'

/** Plan, card, invoices, and the clock that lets a month go by. */
export function Portal({ page, path }: { page: PortalPage; path: string }) {
  return (
    <Stack gap="lg">
      <PageHead title="Manage billing" backTo={page.backTo} back="Back to your profile" />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg" className={styles.columns}>
        <PortalPlan page={page} path={path} />
        <PortalCard page={page} path={path} />
      </SimpleGrid>
      <PortalClock page={page} path={path} />
      <PortalInvoices invoices={page.invoices} />
    </Stack>
  )
}
