import {
  Box,
  Button,
  Group,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
  VisuallyHidden,
} from '@mantine/core'
import { ChartNoAxesColumn } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Range } from '#contract/analytics/figure-values.ts'
import { isRefusal, serverMessageOf } from '../../api.ts'
import { browserZone } from '../../formats.ts'
import { replaceSearch } from '../../ui/dialog/address-steps.ts'
import { useKeptFocus } from '../../ui/focus.ts'
import { LoadFailure } from '../../ui/messages/failure-alert.tsx'
import { useSignedOut } from '../../ui/messages/sign-in-again.ts'
import { PlainButton } from '../../ui/plain-button.tsx'
import { keepWorkspace, useMay } from '../../workspace.ts'
import { LateFigures } from '../late-figures.tsx'
import { BigFigures, FIGURE_GRID } from './big-figures.tsx'
import { AboutFigures, aboutAllTime, aboutFigures } from './download/kept.ts'
import { FacetCard } from './lists/facet-card.tsx'
import { GoneQuiet, type Named } from './lists/gone-quiet.tsx'
import { RankingCard } from './lists/ranking-card.tsx'
import { Reasons } from './lists/reasons.tsx'
import { Now } from './now.tsx'
import styles from './panel.module.css'
import { type Asked, RuledCodes, useChanges, useFigures, useSource } from './queries.ts'
import { ScansOverTime } from './scans-plot.tsx'
import { changeView, type View } from './view/view.ts'
import { ViewBar } from './view/view-bar.tsx'
import { WeekdayHours } from './weekday-hours.tsx'
import { hasFilters, manyOf, noneText, rangeTitle, summaryText } from './words.ts'

type Props = Asked & { codes: readonly Named[] }

/** The contents of the drawer: the choices of the view above, the analytics below. */
export function Panel({ codes, ...asked }: Props) {
  const area = useRef<HTMLDivElement>(null)
  useKeptFocus(area, () => area.current?.focus())
  return (
    <RuledCodes value={codes}>
      <Stack gap={20} className={styles.panel} ref={area} tabIndex={-1}>
        <ViewBar {...asked} />
        <LateFigures />
        <Answers codes={codes} {...asked} />
      </Stack>
    </RuledCodes>
  )
}

function Answers({ codes, ...asked }: Props) {
  const { code, view } = asked
  const { isShared } = useSource()
  const hasCodes = codes.length > 0
  const isOfAll = code === '' && hasCodes
  const hasTags = codes.some(({ tags }) => tags.length > 0)
  const own = codes.find(({ id }) => id === code)
  const { data, error, isPlaceholderData, refetch } = useFigures(asked)
  const changes = useChanges(code, { enabled: own !== undefined && !isShared })
  useSignedOut(error)
  if (isRefusal(error, 'range_too_long')) return <TooLong view={view} error={error} />
  // Analytics that were read once stay when a later reading fails.
  if (error && !data) return <LoadFailure what="The analytics" reading={{ error, refetch }} />
  if (!data) return <Waiting />
  const isNothing = data.scans === 0 && !isPlaceholderData
  return (
    <AboutFigures value={isPlaceholderData ? null : aboutFigures(own?.name, view, data, codes)}>
      <Summary text={isPlaceholderData ? null : summaryText(data.scans, view)} view={view} />
      {data.range.snapped && <Snapped />}
      <Stack gap={20} data-former={isPlaceholderData || undefined} className={styles.answer}>
        {isNothing ? (
          <NoScans view={view} hasCodes={hasCodes} />
        ) : (
          <>
            <BigFigures figures={data} {...asked} />
            <ScansOverTime figures={data} view={view} changes={changes.data ?? []} />
          </>
        )}
      </Stack>
      {!isNothing && (
        <div className={styles.cards}>
          {isOfAll && <RankingCard of="code" title="Top codes" view={view} />}
          {isOfAll && hasTags && <RankingCard of="tag" title="Tags" view={view} />}
          <Now {...asked} />
          {own && own.rules.length > 0 && (
            <FacetCard title="Rules" isWide facets={['branch']} {...asked} />
          )}
          <FacetCard title="Where" isWide facets={['country', 'region', 'city']} {...asked} />
          <WeekdayHours {...asked} />
          <FacetCard title="Devices" facets={['device', 'os', 'browser', 'app']} {...asked} />
          <FacetCard title="Languages" facets={['language']} {...asked} />
          <FacetCard title="Referrers" facets={['referrer']} {...asked} />
        </div>
      )}
      {(hasCodes || isShared) && (
        <div className={styles.cards}>
          <Reasons {...asked} />
        </div>
      )}
      {isOfAll && (
        <div className={styles.cards}>
          <AboutFigures value={aboutAllTime(new Date())}>
            <GoneQuiet codes={codes} />
          </AboutFigures>
        </div>
      )}
      <p className={styles.definition}>
        Times are in your time zone{browserZone() ? `, ${browserZone()}` : ' (UTC)'}.{' '}
        <a href="/api/help#how-scans-are-counted" target="_blank" rel="noreferrer">
          How we count scans
        </a>
      </p>
    </AboutFigures>
  )
}

/** As high as the analytics that come. */
function Waiting() {
  return (
    <>
      <SimpleGrid {...FIGURE_GRID}>
        {['scans', 'visitors', 'day', 'hour'].map((figure) => (
          <Skeleton key={figure} h={150} className={styles.waiting} />
        ))}
      </SimpleGrid>
      <Skeleton h={420} className={styles.waiting} />
    </>
  )
}

/** Said aloud when another view has been read, and not with each scan that comes in. */
function Summary({ text, view }: { text: string | null; view: View }) {
  const [said, setSaid] = useState('')
  const isThere = text !== null
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another view brings a new sentence
  useEffect(() => {
    if (text !== null) setSaid(text)
  }, [isThere, view])
  return <VisuallyHidden role="status">{said}</VisuallyHidden>
}

function Snapped() {
  return (
    <Box px={14} py={10} bdrs="md" bg="var(--note)" c="var(--note-text)" fz="sm">
      For older scans, we only keep totals by day (UTC). So these days are in UTC, not in your time
      zone.
    </Box>
  )
}

const shorter: Range[] = ['90d', '30d', '7d']

function TooLong({ view, error }: { view: View; error: Error | null }) {
  return (
    <Stack gap={12} py={40} align="center" ta="center" className={styles.box} role="alert">
      <p>{serverMessageOf(error)}</p>
      <Group justify="center" gap={8}>
        {shorter.map((range) => (
          <PlainButton key={range} onClick={() => changeView({ range })}>
            {rangeTitle(range)}
          </PlainButton>
        ))}
        <RemoveFilters view={view} />
      </Group>
    </Stack>
  )
}

function RemoveFilters({ view }: { view: View }) {
  return (
    hasFilters(view) && (
      <PlainButton onClick={() => changeView({ filters: {} })}>Remove all filters</PlainButton>
    )
  )
}

/** Stands in for the analytics of a view without a scan, with what would show more. */
function NoScans({ view, hasCodes }: { view: View; hasCodes: boolean }) {
  const { isShared } = useSource()
  const mayCreate = useMay('POST /api/qr-codes') && !isShared
  const isFiltered = hasFilters(view)
  const isAll = view.range === 'all'
  const isPeople = view.kind === 'people'
  return (
    <Stack gap={12} py={40} align="center" ta="center" className={styles.box}>
      <ChartNoAxesColumn size={40} color="var(--copper)" />
      <Box component="p" ff="var(--font-display)" fz="lg" fw={700} lh={1.3}>
        {isAll && !isFiltered ? `No ${manyOf(view.kind)} yet` : noneText(view)}
      </Box>
      {isPeople && !isFiltered && !isShared && (
        <Text maw="44ch" c="dimmed">
          {hasCodes
            ? 'Point your phone’s camera at a code. The scan will show up here, with its place and device.'
            : 'Create your first QR code and print it. Its scans will show up here.'}
        </Text>
      )}
      <Group justify="center" gap={8}>
        <RemoveFilters view={view} />
        {!isAll && (hasCodes || isShared) && (
          <PlainButton onClick={() => changeView({ range: 'all' })}>Show all time</PlainButton>
        )}
        {!hasCodes && mayCreate && (
          <Button onClick={() => replaceSearch(() => keepWorkspace('?new'))}>
            Create New QR Code
          </Button>
        )}
      </Group>
    </Stack>
  )
}
