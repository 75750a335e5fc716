import { SimpleGrid, Stack, Text } from '@mantine/core'
import type { PortalPage } from '#contract/sandbox.ts'
import { PanelBoundary } from '../../ui/messages/panel-boundary.tsx'
import { Panel } from '../panel.tsx'
import { InvoiceTable } from '../plans/invoice-table.tsx'
import { PageHead } from './page-head.tsx'
import { PortalCard } from './portal-card.tsx'
import { PortalClock } from './portal-clock.tsx'
import { PortalPlan } from './portal-plan.tsx'

/** Plan, card, invoices, and the clock that lets a month go by. */
export function Portal({ page, path }: { page: PortalPage; path: string }) {
  return (
    <Stack gap="lg">
      <PageHead title="Manage billing" backTo={page.backTo} back="Back to your profile" />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg" style={{ alignItems: 'start' }}>
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
        <Panel title="Invoices">
          {page.invoices.length === 0 ? (
            <Text c="dimmed">No invoices yet.</Text>
          ) : (
            <InvoiceTable invoices={page.invoices} />
          )}
        </Panel>
      </PanelBoundary>
    </Stack>
  )
}
