import { Box, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { memo, type ReactNode, useId } from 'react'
import type { Figures } from '#contract/analytics/figures.ts'
import { serverMessageOf } from '../../api.ts'
import { browserZone, formatCount, formatDay, formatMoment, listText } from '../../formats.ts'
import rows from '../../ui/rows.module.css'
import { mostOf } from '../chart/drawing.ts'
import { Frame } from '../chart/plot.tsx'
import { bigFiguresOf, daysAtHand, Value } from '../drawer/big-figures.tsx'
import { CardTitle } from '../drawer/card.tsx'
import values from '../drawer/lists/value-rows.module.css'
import { Drawing, Keys } from '../drawer/scans-plot.tsx'
import type { View } from '../drawer/view/view.ts'
import { busiestText, HeatCells } from '../drawer/weekday-hours.tsx'
import { facetWords, noneText, shareText, ticksOf, titleOf } from '../drawer/words.ts'
import { type Answers, listedFacets, type Result, type Subject } from './pages.ts'
import styles from './report.module.css'
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

type Props = {
  code: Subject
  link: string | null
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
      <Stack gap={14} className={styles.page}>
        <Head id={id} {...props} answers={answers} />
        {answers && <Body answers={answers} view={view} codes={props.codes} />}
        {!result && <Note>Loading…</Note>}
        {result && 'missing' in result && (
          <Note>
            {listText(result.missing.parts)} couldn’t be loaded.{' '}
            {serverMessageOf(result.missing.error)}
          </Note>
        )}
        <Stack component="p" gap={4} c="dimmed" fz="0.85em" className={styles.foot}>
          <span>{answers && definitionsText(view.kind, answers.figures.rules)}</span>
          <span className={styles.made}>
            Tessera, {formatMoment(madeAt)}
            {number && `, page ${number}`}
          </span>
        </Stack>
      </Stack>
    </article>
  )
})

const Note = (props: { children: ReactNode }) => <Box component="p" fz="1.2em" {...props} />

const Heading = (props: { children: ReactNode }) => <CardTitle order={4} fz="1.1em" {...props} />

type HeadProps = Props & { id: string; answers: Answers | null }

function Head({ id, code, link, view, codes, answers }: HeadProps) {
  const zone = browserZone() ?? 'UTC'
  return (
    <Group align="stretch" gap="12px 16px">
      {code && (
        <Box w={112} h={112}>
          {answers?.picture && (
            <img src={answers.picture} alt={`QR code of ${code.name}`} width={112} height={112} />
          )}
        </Box>
      )}
      <Box flex="1 1 240px" miw={0}>
        <CardTitle id={id} fz={20} lh={1.2} mb={4} className={`${rows.words} ${styles.name}`}>
          <bdi>{code ? code.name : 'All QR codes'}</bdi>
        </CardTitle>
        <dl>
          {link !== null && <Fact title="Short link">{link.replace(/^https?:\/\//, '')}</Fact>}
          {code && <Fact title="Destination">{code.url}</Fact>}
          {answers && (
            <Fact title="Range">
              {periodText(view, answers.figures.range, zone)}.{' '}
              {zoneText(answers.figures.range, zone)}.
            </Fact>
          )}
          <Fact title="Counted">{shownText(view, code ? [code] : undefined)}</Fact>
          {code && <Fact title="Created">{formatDay(code.createdAt)}</Fact>}
          {codes?.text && <Fact title="Pages">{codes.text}</Fact>}
        </dl>
      </Box>
    </Group>
  )
}

function Fact({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Group align="stretch" gap={10} wrap="nowrap">
      <Box component="dt" c="dimmed" flex="0 0 84px">
        {title}
      </Box>
      <Text inherit component="dd" lineClamp={3} className={rows.words}>
        <bdi>{children}</bdi>
      </Text>
    </Group>
  )
}

/** From this width on the screen is as paper. */
const WIDE = '600px'

type BodyProps = Pick<Props, 'view' | 'codes'> & { answers: Answers }

function Body({ answers: { figures, more }, view, codes }: BodyProps) {
  if (!more) return <Note>{noneText(view)}.</Note>
  const { heatmap, lists } = more
  const shown = bigFiguresOf({ figures, view, days: daysAtHand(figures), heatmap })
  return (
    <>
      <SimpleGrid component="dl" type="container" cols={{ base: 2, [WIDE]: 4 }} spacing={8}>
        {shown
          .filter(({ value }) => value !== null)
          .map(({ title, value, change, note = change?.words }) => (
            <Box key={title} p="6px 10px" bd="1px solid var(--line)" bdrs={6}>
              <Box component="dt" c="dimmed">
                {title}
              </Box>
              <Value fz="1.45em">{value}</Value>
              {note && <dd>{note}</dd>}
            </Box>
          ))}
      </SimpleGrid>
      <Line figures={figures} view={view} />
      <SimpleGrid
        type="container"
        cols={{ base: 1, [WIDE]: 4 }}
        spacing={{ base: 14, [WIDE]: 16 }}
        verticalSpacing={{ base: 14, [WIDE]: 10 }}
      >
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
      </SimpleGrid>
      <div className={codes ? styles.beside : undefined}>
        <section>
          <Heading>Weekdays and hours</Heading>
          <p>{busiestText(heatmap, view.kind)}</p>
          <HeatCells heatmap={heatmap} kind={view.kind} />
        </section>
        {codes && <TopList title="Top codes" {...codes.top} all={codes.all} />}
      </div>
    </>
  )
}

/** More bars than that are too thin for paper. */
const BARS_MAX = 130

function Line({ figures, view }: { figures: Figures; view: View }) {
  const { points, range } = figures
  return (
    <Stack component="section" gap={4} className={styles.line}>
      <Heading>
        {titleOf(view.kind)} by {range.by}
      </Heading>
      <Keys kind={view.kind} range={view.range} points={points} />
      <div className={styles.plot} role="img" aria-label={lineText(figures, view.kind)}>
        <Frame count={points.length} most={mostOf(points)} ticks={ticksOf(points, range.by)}>
          {(top) => (
            <Drawing
              points={points}
              form={points.length > BARS_MAX ? 'line' : view.form}
              top={top}
            />
          )}
        </Frame>
      </div>
    </Stack>
  )
}

type ListProps = {
  title: string
  rows: readonly TopRow[]
  rest: TopValues['rest']
  /** The scans of which the rows have shares */
  all: number
}

function TopList({ title, rows: top, rest, all }: ListProps) {
  const lines = rest ? [...top, { value: 'rest', label: rest.text, scans: rest.scans }] : top
  return (
    <section>
      <Heading>{title}</Heading>
      <ul aria-label={title}>
        {lines.map(({ value, label, scans }, index) => (
          <li key={value} className={styles.row} data-rest={index >= top.length || undefined}>
            <Text inherit component="bdi" lineClamp={2} flex={1} className={rows.words}>
              {label}
            </Text>{' '}
            <span className={values.scans}>{formatCount(scans)}</span>{' '}
            <Box component="span" miw="2.9em" c="dimmed" className={values.share}>
              {shareText(scans, all)}
            </Box>
          </li>
        ))}
      </ul>
    </section>
  )
}
