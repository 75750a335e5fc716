import { Box } from '@mantine/core'
import { memo, type ReactNode, useId, useMemo } from 'react'
import type { Figures } from '#contract/analytics/figures.ts'
import { serverMessageOf } from '../../api.ts'
import {
  browserZone,
  counted,
  formatCount,
  formatDay,
  formatMoment,
  listText,
  localHourSpan,
} from '../../formats.ts'
import { axisTo } from '../chart/chart-series.ts'
import { mostOf } from '../chart/drawing.ts'
import { StillPlot } from '../chart/plot.tsx'
import { pointsByDay } from '../drawer/figures.ts'
import { Drawing, Keys } from '../drawer/scans-plot.tsx'
import type { View } from '../drawer/view/view.ts'
import { busiestText, HeatCells } from '../drawer/weekday-hours.tsx'
import {
  bestDay,
  busiest,
  changeOf,
  facetWords,
  nounOf,
  shareText,
  ticksOf,
  titleOf,
  whenText,
} from '../drawer/words.ts'
import { type Answers, listedFacets, type Result } from './read-answers.ts'
import styles from './report-page.module.css'
import {
  definitionsText,
  lineText,
  periodText,
  shownText,
  type TopRow,
  type TopValues,
  topValues,
  zoneText,
} from './report-words.ts'
import type { Subject } from './use-pages.ts'

type Props = {
  subject: Subject
  view: View
  result: Result | undefined
  /** When the report was made. */
  madeAt: Date
  /** "2 of 51"; null if it is the only page. */
  number: string | null
  /** On the page of all codes */
  codes: TopCodes | null
}

/** The codes with the most scans, the scans of all, and a sentence on the pages that follow, if there are any. */
export type TopCodes = { top: TopValues; all: number; text: string | null }

/** The analytics of one code, or of all, on one sheet of A4 or Letter. */
export const ReportPage = memo(function ReportPage(props: Props) {
  const { view, result, madeAt, number } = props
  const id = useId()
  const answers = result && 'answers' in result ? result.answers : null
  return (
    <article className={styles.paper} data-paper aria-labelledby={id}>
      <div className={styles.page}>
        <Head id={id} {...props} answers={answers} />
        {answers && <Body answers={answers} view={view} codes={props.codes} />}
        {!result && <p className={styles.note}>Loading…</p>}
        {result && 'missing' in result && (
          <p className={styles.note}>
            {listText(result.missing.parts)} couldn’t be loaded.{' '}
            {serverMessageOf(result.missing.error)}
          </p>
        )}
        <p className={styles.foot}>
          <span>{answers && definitionsText(view.kind, answers.figures.rules)}</span>
          <span className={styles.made}>
            Tessera, {formatMoment(madeAt)}
            {number && `, page ${number}`}
          </span>
        </p>
      </div>
    </article>
  )
})

type HeadProps = Props & { id: string; answers: Answers | null }

function Head({ id, subject: { code, link }, view, codes, answers }: HeadProps) {
  const zone = browserZone() ?? 'UTC'
  return (
    <div className={styles.head}>
      {code && (
        <div className={styles.picture}>
          {answers?.picture && <img src={answers.picture} alt={`QR code of ${code.name}`} />}
        </div>
      )}
      <Box flex="1 1 240px" miw={0}>
        <h3 id={id} className={styles.name}>
          <bdi>{code ? code.name : 'All QR codes'}</bdi>
        </h3>
        <dl className={styles.facts}>
          {link !== null && <Fact title="Short link">{link.replace(/^https?:\/\//, '')}</Fact>}
          {code && <Fact title="Destination">{code.url}</Fact>}
          {answers && (
            <Fact title="Range">
              {periodText(view, answers.figures.range, zone)}.{' '}
              {zoneText(answers.figures.range, zone)}.
            </Fact>
          )}
          <Fact title="Counted">{shownText(view)}</Fact>
          {code && <Fact title="Created">{formatDay(code.createdAt)}</Fact>}
          {codes?.text && <Fact title="Pages">{codes.text}</Fact>}
        </dl>
      </Box>
    </div>
  )
}

function Fact({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{title}</dt>
      <dd>
        <bdi>{children}</bdi>
      </dd>
    </div>
  )
}

type BodyProps = Pick<Props, 'view' | 'codes'> & { answers: Answers }

function Body({ answers: { figures, more }, view, codes }: BodyProps) {
  if (!more) {
    const what = view.kind === 'people' ? 'scans' : 'bots or link previews'
    const hasFilters = Object.keys(view.filters).length > 0
    return (
      <p className={styles.note}>
        No {what}
        {hasFilters ? ' with these filters' : ''} {whenText(view)}.
      </p>
    )
  }
  const { heatmap, lists } = more
  const noun = nounOf(view.kind)
  const best = busiest(heatmap)
  const day = ['hour', 'day'].includes(figures.range.by)
    ? bestDay(pointsByDay(figures.points))
    : null
  return (
    <>
      <dl className={styles.figures}>
        <Figure
          title={titleOf(view.kind)}
          value={formatCount(figures.scans)}
          note={changeOf(figures.scans, figures.before?.scans, view.range)?.words}
        />
        {figures.visitors !== null && (
          <Figure
            title="Visitors"
            value={formatCount(figures.visitors)}
            note={changeOf(figures.visitors, figures.before?.visitors, view.range)?.words}
          />
        )}
        {day && view.range !== '24h' && (
          <Figure title="Best day" value={day.name} note={counted(day.scans, noun)} />
        )}
        {best && (
          <Figure
            title="Best hour"
            value={localHourSpan(best.hour)}
            note={counted(best.inHour, noun)}
          />
        )}
      </dl>
      <Line figures={figures} view={view} />
      <div className={styles.lists}>
        {listedFacets.map((facet) => {
          const breakdown = lists.get(facet)
          return (
            breakdown && (
              <TopList
                key={facet}
                title={facetWords[facet].title}
                {...topValues(facet, breakdown)}
                all={breakdown.scans}
              />
            )
          )
        })}
      </div>
      <div className={codes ? styles.beside : undefined}>
        <section>
          <h4 className={styles.title}>Weekdays and hours</h4>
          <p>{busiestText(heatmap, view.kind)}</p>
          <HeatCells heatmap={heatmap} kind={view.kind} />
        </section>
        {codes && <TopList title="Top codes" {...codes.top} all={codes.all} />}
      </div>
    </>
  )
}

type FigureProps = { title: string; value: string; note?: string | undefined }

function Figure({ title, value, note }: FigureProps) {
  return (
    <Box p="6px 10px" bd="1px solid var(--line)" bdrs={6}>
      <dt>{title}</dt>
      <dd className={styles.value}>{value}</dd>
      {note && <dd>{note}</dd>}
    </Box>
  )
}

/** More bars than that are too thin for paper. */
const BARS_MAX = 130

function Line({ figures, view }: { figures: Figures; view: View }) {
  const { points, range } = figures
  const axis = useMemo(() => axisTo(mostOf(points)), [points])
  const ticks = useMemo(() => ticksOf(points, range.by), [points, range.by])
  return (
    <section className={styles.line}>
      <h4 className={styles.title}>
        {titleOf(view.kind)} by {range.by}
      </h4>
      <Keys kind={view.kind} range={view.range} points={points} />
      <div className={styles.plot} role="img" aria-label={lineText(figures, view.kind)}>
        <StillPlot count={points.length} axis={axis} ticks={ticks}>
          <Drawing
            points={points}
            form={points.length > BARS_MAX ? 'line' : view.form}
            top={axis.at(-1) ?? 1}
          />
        </StillPlot>
      </div>
    </section>
  )
}

type ListProps = {
  title: string
  rows: readonly TopRow[]
  rest: TopValues['rest']
  /** The scans of which the rows have shares */
  all: number
}

function TopList({ title, rows, rest, all }: ListProps) {
  const lines = rest ? [...rows, { value: 'rest', label: rest.text, scans: rest.scans }] : rows
  return (
    <section>
      <h4 className={styles.title}>{title}</h4>
      <ul aria-label={title}>
        {lines.map(({ value, label, scans }, index) => (
          <li key={value} className={styles.row} data-rest={index >= rows.length || undefined}>
            <bdi className={styles.label}>{label}</bdi>{' '}
            <span className={styles.count}>{formatCount(scans)}</span>{' '}
            <span className={styles.share}>{shareText(scans, all)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
