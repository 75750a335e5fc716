import { Card, SimpleGrid, Skeleton, Text } from '@mantine/core'
import { CalendarDays, Gauge, type LucideIcon, QrCode, ScanLine } from 'lucide-react'
import type { UserAnalytics } from '#contract/analytics.ts'
import { formatCount } from '../ui/formats.ts'
import styles from './stat-cards.module.css'

type Props = {
  /** Missing while loading; null where they cannot be read. */
  analytics: UserAnalytics | null | undefined
  planUsage: string | undefined
}

export function StatCards({ analytics, planUsage }: Props) {
  const figure = (name: keyof UserAnalytics) =>
    analytics === null ? 'N/A' : analytics && formatCount(analytics[name])
  return (
    <SimpleGrid component="dl" cols={{ base: 2, md: 4 }} m={0}>
      <StatCard title="Total QR Codes" value={figure('totalQrCodes')} icon={QrCode} />
      <StatCard title="Total Scans" value={figure('totalScans')} icon={ScanLine} />
      <StatCard title="This Month" value={figure('scansThisMonth')} icon={CalendarDays} />
      <StatCard title="Plan Usage" value={planUsage} icon={Gauge} />
    </SimpleGrid>
  )
}

type CardProps = { title: string; value: string | undefined; icon: LucideIcon }

function StatCard({ title, value, icon: Icon }: CardProps) {
  return (
    <Card withBorder padding="md" className={styles.card}>
      <Text component="dt" size="sm" c="dimmed" className={styles.title}>
        {title}
        <Icon size={18} aria-hidden />
      </Text>
      <dd className={styles.value}>{value ?? <Skeleton w={64} h="1.3em" />}</dd>
    </Card>
  )
}
