import { Box, Group, SimpleGrid, Skeleton, Text, Title } from '@mantine/core'
import { ChartNoAxesColumn } from 'lucide-react'
import type { CodeAnalytics } from '#contract/analytics/analytics.ts'
import { formatCount } from '../formats.ts'
import { PlainButton } from '../ui/plain-button.tsx'
import { Quiet } from '../ui/quiet.tsx'
import { useCodeAnalytics } from './queries.ts'
import { openStats } from './stats-address.ts'

/** Four tiles above the form of an existing code. */
export function PerformanceStats({ id }: { id: string }) {
  const { data, isPending } = useCodeAnalytics(id)
  return (
    <Box component="section" p="md" bdrs="md" bg="var(--tint)" aria-labelledby="performance-stats">
      <Group justify="space-between" gap="0 var(--mantine-spacing-md)">
        <Title order={3} size="h5" id="performance-stats">
          Performance Stats
        </Title>
        {!isPending && !data?.totalScans && <Quiet>No analytics data available yet</Quiet>}
        <PlainButton
          size="xs"
          leftSection={<ChartNoAxesColumn size={16} />}
          onClick={() => openStats(id)}
        >
          Analytics
        </PlainButton>
      </Group>
      <SimpleGrid component="dl" cols={{ base: 2, xs: 4 }} spacing="sm" mt="xs">
        {tilesOf(data).map(({ label, value }) => (
          <div key={label}>
            <Text component="dt" size="xs" c="dimmed">
              {label}
            </Text>
            <Box component="dd" m={0} fw={600}>
              {isPending ? <Skeleton h={22} w={56} /> : value}
            </Box>
          </div>
        ))}
      </SimpleGrid>
    </Box>
  )
}

const MISSING = 'N/A'

function tilesOf(data: CodeAnalytics | undefined) {
  return [
    { label: 'Total', value: data ? formatCount(data.totalScans) : MISSING },
    { label: 'Monthly', value: data ? formatCount(data.scansThisMonth) : MISSING },
    { label: 'Country', value: data?.topCountries[0]?.country ?? MISSING },
    { label: 'Device', value: data?.topDevices[0]?.device ?? MISSING },
  ]
}
