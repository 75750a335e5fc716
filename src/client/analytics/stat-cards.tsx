import {
  Card,
  Group,
  Progress,
  SimpleGrid,
  Skeleton,
  Text,
  UnstyledButton,
  VisuallyHidden,
} from '@mantine/core'
import { CalendarDays, ChevronRight, Gauge, type LucideIcon, QrCode } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { UserAnalytics } from '#contract/analytics/analytics.ts'
import { formatCount } from '../formats.ts'
import { totalOf } from './chart/chart-series.ts'
import { linePath } from './chart/drawing.ts'
import { useMonth } from './chart/use-month.ts'
import { monthChange } from './month-change.ts'
import styles from './stat-cards.module.css'
import { ALL, openStats } from './stats-address.ts'

type Props = {
  /** Missing while they are read; null if they cannot be read. */
  analytics: UserAnalytics | null | undefined
  codeCount: number | null | undefined
  planUsage: PlanUsage | null | undefined
}

/** `percent` is null without a limit; `upgrade` is where a larger plan is to be had, if one is needed. */
export type PlanUsage = { text: string; percent: number | null; upgrade: string | undefined }

export function StatCards({ analytics, codeCount, planUsage }: Props) {
  const scans = analytics === null ? { totalScans: null, scansThisMonth: null } : analytics
  return (
    <SimpleGrid component="dl" cols={{ base: 2, md: 4 }} autoRows="1fr" m={0}>
      <StatCard title="Total QR Codes" value={shown(codeCount)} icon={QrCode} />
      <StatCard
        title="Total Scans"
        value={shown(scans?.totalScans)}
        opener={
          <UnstyledButton
            className={styles.open}
            aria-label="All QR codes: analytics"
            onClick={() => openStats(ALL)}
          >
            <Opens>Analytics</Opens>
          </UnstyledButton>
        }
      >
        <Sparkline />
      </StatCard>
      <StatCard
        title="This Month"
        value={shown(scans?.scansThisMonth)}
        note={<Change analytics={analytics} />}
        icon={CalendarDays}
      />
      <StatCard
        title="Plan Usage"
        value={planUsage === null ? 'N/A' : planUsage?.text}
        note={<Share percent={planUsage?.percent ?? null} />}
        icon={Gauge}
        opener={
          planUsage?.upgrade && (
            <UnstyledButton
              component={Link}
              href={planUsage.upgrade}
              className={styles.open}
              aria-label="Upgrade your plan"
            >
              <Opens>Upgrade</Opens>
            </UnstyledButton>
          )
        }
      />
    </SimpleGrid>
  )
}

const shown = (count: number | null | undefined) =>
  count === null ? 'N/A' : count === undefined ? undefined : formatCount(count)

type CardProps = {
  title: string
  value: string | undefined
  icon?: LucideIcon
  /** Beside the value. */
  children?: ReactNode
  /** Below it. */
  note?: ReactNode
  /** As large as the card; its word stands in place of the icon. */
  opener?: ReactNode
}

function StatCard({ title, value, icon: Icon, children, note, opener }: CardProps) {
  return (
    <Card withBorder padding="md" className={styles.card} data-noted={note ? true : undefined}>
      <Text component="dt" size="sm" c="dimmed" className={styles.title}>
        {title}
        {!opener && Icon && <Icon size={18} />}
      </Text>
      <Group component="dd" justify="space-between" wrap="nowrap" className={styles.value}>
        {value ?? <Skeleton w={64} h="1.3em" />}
        {children}
      </Group>
      {note}
      {opener && <dd>{opener}</dd>}
    </Card>
  )
}

function Opens({ children }: { children: string }) {
  return (
    <>
      <span>{children}</span>
      <ChevronRight size={14} />
    </>
  )
}

/** How much of the plan is used; the text above it says the same. */
function Share({ percent }: { percent: number | null }) {
  if (percent === null) return null
  return (
    <dd className={styles.note} aria-hidden>
      <Progress
        value={percent}
        mt={8}
        size={6}
        radius={0}
        bdrs={3}
        bg="var(--tint)"
        color="var(--accent-text)"
      />
    </dd>
  )
}

/** Neither green nor red: fewer scans may be as they should. */
function Change({ analytics }: Pick<Props, 'analytics'>) {
  const change = analytics && monthChange(analytics, new Date())
  if (!change) return null
  return (
    <dd className={styles.note} title={change.words}>
      <span aria-hidden>{change.short}</span>
      <VisuallyHidden>{change.words}</VisuallyHidden>
    </dd>
  )
}

/** The drawing's own units: the page makes them as large as it likes. */
const [WIDTH, HEIGHT] = [100, 24]

/** A line through these values, from the left edge to the right one, the highest at the top. */
export function sparklinePath(values: readonly number[]): string {
  const pitch = WIDTH / Math.max(values.length - 1, 1)
  const most = Math.max(...values, 1)
  return linePath(values, { pitch, left: -pitch / 2, height: HEIGHT, most })
}

/** The scans of the last 30 days as a small line. The chart below has the same in numbers. */
function Sparkline() {
  const { chart } = useMonth()
  if (!chart || chart.total === 0) return null
  return (
    <svg
      className={styles.line}
      viewBox={`0 -2 ${WIDTH} ${HEIGHT + 4}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path d={sparklinePath(chart.dates.map((_, day) => totalOf(day, chart.series)))} />
    </svg>
  )
}
