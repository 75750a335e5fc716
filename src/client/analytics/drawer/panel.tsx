import { Button, Skeleton } from '@mantine/core'
import { ChartNoAxesColumn } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Range } from '#contract/analytics/figure-values.ts'
import type { Figures } from '#contract/analytics/figures.ts'
import { isRefusal, serverMessageOf } from '../../api.ts'
import { browserZone } from '../../dates.ts'
import { replaceSearch } from '../../ui/address-steps.ts'
import { useKeptFocus } from '../../ui/focus.ts'
import { LoadFailure } from '../../ui/messages/failure-alert.tsx'
import { useSignedOut } from '../../ui/sign-in-again.ts'
import { Choice } from './asked/choice.tsx'
import { FilterChips } from './asked/filter-chips.tsx'
import { RangePicker } from './asked/range-picker.tsx'
import { stepsFor, type View } from './asked/view.ts'
import { changeView } from './asked/view-address.ts'
import { BigFigures } from './big-figures.tsx'
import { daysIn, isOver } from './days.ts'
import { AboutFigures, aboutAllTime, aboutFigures } from './keep/kept.ts'
import { keptLine } from './keep/kept-cards.ts'
import { SaveMenu } from './keep/save-menu.tsx'
import { CodesByScans, type Named } from './lists/codes-by-scans.tsx'
import { FacetCard } from './lists/facet-card.tsx'
import { Reasons } from './lists/reasons.tsx'
import { TagsByScans } from './lists/tags-by-scans.tsx'
import { Now } from './now.tsx'
import styles from './panel.module.css'
import { type Asked, useFigures, useSource } from './queries.ts'
import { ScansPlot } from './scans-plot.tsx'
import { WeekdayHours } from './weekday-hours.tsx'
import {
  asTitle,
  beforeText,
  lineText,
  rulesText,
  stepNames,
  summaryText,
  titleOf,
  whenText,
} from './words.ts'

const kinds = [
  { value: 'people', label: 'People' },
  { value: 'bots', label: 'Bots' },
] as const

type Props = Asked & { codes: readonly Named[] }

/** What the drawer holds: what is asked for above, the figures below. */
export function Panel({ codes, ...asked }: Props) {
  const { code, view } = asked
  const area = useRef<HTMLDivElement>(null)
  useKeptFocus(area, () => area.current?.focus())
  return (
    <div className={styles.panel} ref={area} tabIndex={-1}>
      <div className={styles.asked}>
        <RangePicker view={view} />
        <Choice
          label="Who"
          options={kinds}
          value={view.kind}
          onChange={(kind) => changeView({ kind })}
        />
        <FilterChips view={view} />
      </div>
      <Answers
        {...asked}
        name={codes.find(({ id }) => id === code)?.name}
        hasCodes={codes.length > 0}
      >
        {code === '' && codes.length > 0 && (
          <div className={styles.cards}>
            <AboutFigures value={aboutAllTime(new Date())}>
              <CodesByScans codes={codes} />
              <TagsByScans codes={codes} />
            </AboutFigures>
          </div>
        )}
        <Footnote asked={asked} />
      </Answers>
    </div>
  )
}

type AnswersProps = Asked & {
  name: string | undefined
  hasCodes: boolean
  /** What is below: it would be pushed down if it came first. */
  children: ReactNode
}

function Answers({ name, hasCodes, children, ...asked }: AnswersProps) {
  const { view } = asked
  const { isShared } = useSource()
  const figures = useFigures(asked)
  const { data, error, isPlaceholderData, refetch } = figures
  useSignedOut(error)
  if (isRefusal(error, 'range_too_long')) return <TooLong asked={asked} error={error} />
  // What was read once stays when a later reading fails.
  if (error && !data) return <LoadFailure what="The figures" error={error} onRetry={refetch} />
  if (!data) return <Waiting />
  const isNothing = data.scans === 0 && !isPlaceholderData
  return (
    <AboutFigures value={isPlaceholderData ? null : aboutFigures(name, view, data)}>
      <Summary text={isPlaceholderData ? null : summaryText(data.scans, view)} view={view} />
      {data.range.snapped && <Snapped />}
      <div data-former={isPlaceholderData || undefined} className={styles.content}>
        {isNothing ? (
          <NoScans asked={asked} hasCodes={hasCodes} />
        ) : (
          <>
            <BigFigures figures={data} {...asked} />
            <Line figures={data} {...asked} />
          </>
        )}
      </div>
      {!isNothing && (
        <div className={styles.cards}>
          <Now code={asked.code} />
          <FacetCard title="Where" isWide facets={['country', 'region', 'city']} {...asked} />
          <WeekdayHours {...asked} />
          <FacetCard title="With what" facets={['device', 'os', 'browser', 'app']} {...asked} />
          <FacetCard title="Languages" facets={['language']} {...asked} />
          <FacetCard title="Referrers" facets={['referrer']} {...asked} />
        </div>
      )}
      {(hasCodes || isShared) && (
        <div className={styles.cards}>
          <Reasons {...asked} />
        </div>
      )}
      {children}
    </AboutFigures>
  )
}

/** As high as what comes. */
function Waiting() {
  return (
    <>
      <div className={styles.figures}>
        {['scans', 'visitors', 'day', 'hour'].map((figure) => (
          <Skeleton key={figure} className={styles.waitingFigure} />
        ))}
      </div>
      <Skeleton className={styles.waitingLine} />
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
  return (
    <p role="status" className={styles.words}>
      {said}
    </p>
  )
}

function Line({ figures, view }: Asked & { figures: Figures }) {
  const { points } = figures
  const { by } = figures.range
  const { kind, form } = view
  const before = beforeText(view.range)
  const options = stepsFor(view.range, daysIn(figures.range)).map((value) => ({
    value,
    label: stepNames[value],
  }))
  return (
    <section className={styles.card} aria-labelledby="stats-line">
      <div className={styles.cardHead}>
        <h3 id="stats-line" className={styles.title}>
          {titleOf(kind)} over time
        </h3>
        {options.length > 1 && (
          <div className={styles.tools}>
            <Choice
              label="By"
              options={options}
              value={by}
              onChange={(value) => changeView({ by: value })}
            />
          </div>
        )}
        <SaveMenu
          kept={keptLine({ points, by, kind, form, before: asTitle(before) })}
          isFormer={false}
        />
      </div>
      <p className={styles.definition}>
        {lineText(view, {
          by,
          hasBefore: figures.before !== null,
          isOver: isOver(figures.range),
        })}
      </p>
      <ScansPlot
        points={figures.points}
        by={by}
        view={view}
        when={whenText(view)}
        before={beforeText(view.range)}
      />
    </section>
  )
}

function Snapped() {
  return (
    <p className={styles.said}>
      Of older scans only the sums of whole days in UTC are kept. So these figures go by days in
      UTC, not in your time zone.
    </p>
  )
}

const shorter: Range[] = ['90d', '30d', '7d']

function TooLong({ asked: { view }, error }: { asked: Asked; error: Error | null }) {
  const hasFilters = Object.keys(view.filters).length > 0
  return (
    <div className={styles.nothing} role="alert">
      <p>{serverMessageOf(error)}</p>
      <div className={styles.ways}>
        {shorter.map((range) => (
          <Button key={range} variant="default" onClick={() => changeView({ range })}>
            {whenText({ range, from: undefined, to: undefined }).replace('in the l', 'L')}
          </Button>
        ))}
        {hasFilters && (
          <Button variant="default" onClick={() => changeView({ filters: {} })}>
            Remove all filters
          </Button>
        )}
      </div>
    </div>
  )
}

/** Nothing to draw: says so, and what would show more. */
function NoScans({ asked: { view }, hasCodes }: { asked: Asked; hasCodes: boolean }) {
  const { isShared } = useSource()
  const hasFilters = Object.keys(view.filters).length > 0
  const isAll = view.range === 'all'
  const isPeople = view.kind === 'people'
  const what = isPeople ? 'scans' : 'bots or link previews'
  return (
    <div className={styles.nothing}>
      <ChartNoAxesColumn size={40} aria-hidden />
      <p className={styles.title}>
        {isAll && !hasFilters
          ? `No ${what} yet`
          : `No ${what}${hasFilters ? ' with these filters' : ''} ${whenText(view)}`}
      </p>
      {isPeople && !hasFilters && !isShared && (
        <p className={styles.next}>
          {hasCodes
            ? 'Point the camera of a phone at a code: its scan shows up here by itself, with the place and the device.'
            : 'Create your first QR code and print it. Its scans show up here by themselves.'}
        </p>
      )}
      <div className={styles.ways}>
        {hasFilters && (
          <Button variant="default" onClick={() => changeView({ filters: {} })}>
            Remove all filters
          </Button>
        )}
        {!isAll && (hasCodes || isShared) && (
          <Button variant="default" onClick={() => changeView({ range: 'all' })}>
            Show all time
          </Button>
        )}
        {!hasCodes && !isShared && (
          <Button onClick={() => replaceSearch(() => '?new')}>Create New QR Code</Button>
        )}
      </div>
    </div>
  )
}

function Footnote({ asked }: { asked: Asked }) {
  const rules = useFigures(asked).data?.rules ?? []
  return (
    <p className={styles.definition}>
      Times are in your time zone{browserZone() ? `, ${browserZone()}` : ' (UTC)'}.{' '}
      {rulesText(rules)}
    </p>
  )
}
