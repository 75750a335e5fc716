import { SimpleGrid, Stack } from '@mantine/core'
import type { PortalPage } from '#contract/sandbox.ts'
import { PanelBoundary } from '../../ui/panel-boundary.tsx'
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
        <PanelBoundary what="Your plan">
          <PortalPlan page={page} path={path} />
        </PanelBoundary>
        <PanelBoundary what="Your card">
          <PortalCard page={page} path={path} />
        </PanelBoundary>
      </SimpleGrid>
      <PanelBoundary what="The test clock">
        <PortalClock page={page} path={path} />
      </PanelBoundary>
      <PanelBoundary what="Your invoices">
        <PortalInvoices invoices={page.invoices} />
      </PanelBoundary>
    </Stack>
  )
}
