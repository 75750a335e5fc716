import { type Facet, scanClassNames, UNKNOWN } from '#contract/analytics/figure-values.ts'
import type { Breakdown, Classes, Heatmap, Ranking } from '#contract/analytics/figures.ts'
import { hasBefore } from '../figures.ts'
import type { Kind } from '../view/view.ts'
import {
  facetWords,
  HOURS,
  hourText,
  nounOf,
  stepNames,
  titleOf,
  valuesOf,
  weekdays,
} from '../words.ts'
import type { Kept, Line } from './kept.ts'

/* The cards of the drawer as files: their numbers as a table, and the figures that a picture shows. */

type ShownLine = Omit<Line, 'names'> & { kind: Kind; before: string }

export function keptLine({ points, by, kind, form, before }: ShownLine): Kept {
  const isOfPeople = kind === 'people'
  const isCompared = hasBefore(points)
  const names = {
    scans: titleOf(kind),
    visitors: isOfPeople ? 'Visitors' : undefined,
    before: isCompared ? before : undefined,
  }
  return {
    title: `${titleOf(kind)} over time`,
    definition: isOfPeople
      ? 'Scans by people, without bots and link previews. Visitors are different devices, counted once per code per day (UTC).'
      : 'Visits by bots, link previews, and the like. They never count as scans.',
    table: {
      head: [stepNames[by], ...Object.values(names).filter((name) => name !== undefined)],
      rows: points.map((point) => [
        point.at.replace('T', ' '),
        point.scans,
        ...(isOfPeople ? [point.visitors ?? ''] : []),
        ...(isCompared ? [point.before ?? ''] : []),
      ]),
    },
    drawn: { kind: 'line', points, by, form, names },
  }
}

/** Facets whose values are codes of a list that other programs know, too. */
const isCoded = (facet: Facet) => facet === 'country' || facet === 'language'

/** A share in percent with one decimal, for programs. */
const percentOf = (part: number, all: number) =>
  all > 0 ? Math.round((1_000 * part) / all) / 10 : 0

export function keptList(facet: Facet, breakdown: Breakdown, kind: Kind): Kept {
  const { rows, others, scans } = breakdown
  const { title, one, definition } = facetWords[facet]
  const all = valuesOf(facet, breakdown)
  if (others > 0) all.push({ value: UNKNOWN, label: 'Other values', scans: others })
  const codeOf = (value: string) => (value === UNKNOWN ? '' : value)
  const bars = { bars: all, all: scans, nameOfOne: 'value' }
  return {
    title: `${titleOf(kind)}: ${title}`,
    what: title,
    definition,
    table: {
      head: [one, ...(isCoded(facet) ? ['Code'] : []), titleOf(kind), 'Percent'],
      rows: all.map((row) => [
        row.label,
        ...(isCoded(facet) ? [codeOf(row.value)] : []),
        row.scans,
        percentOf(row.scans, scans),
      ]),
    },
    drawn:
      facet === 'country'
        ? { kind: 'map', countries: rows, noun: nounOf(kind), ...bars }
        : { kind: 'bars', ...bars },
  }
}

export function keptHours({ rows }: Heatmap, kind: Kind): Kept {
  return {
    title: `${titleOf(kind)} by weekday and hour`,
    what: 'weekdays and hours',
    definition: 'Darker means more scans.',
    table: {
      head: ['Hour', ...weekdays],
      rows: HOURS.map((hour) => [hourText(hour), ...rows.map((row) => row[hour] ?? 0)]),
    },
    drawn: { kind: 'hours', rows, noun: nounOf(kind) },
  }
}

const sumOf = (bars: readonly { scans: number }[]) =>
  bars.reduce((sum, { scans }) => sum + scans, 0)

export function keptReasons(rows: Classes['rows']): Kept {
  const nameOf = (row: Classes['rows'][number]) => scanClassNames[row.class]
  const bars = rows.map((row) => ({ label: `${nameOf(row)}: ${row.reason}`, scans: row.scans }))
  return {
    title: 'People and bots',
    definition: 'Sorted by what the browser reports. Only visits by people count as scans.',
    table: {
      head: ['Counted as', 'Reason', 'Visits'],
      rows: rows.map((row) => [nameOf(row), row.reason, row.scans]),
    },
    drawn: { kind: 'bars', bars, all: sumOf(bars), nameOfOne: 'reason' },
  }
}

/** The codes or the tags with the most scans. */
export function keptRanking(of: 'code' | 'tag', ranking: Ranking, kind: Kind): Kept {
  const { scans: all, others } = ranking
  const [ranked, title, one] =
    of === 'code' ? [ranking.codes, 'Top codes', 'Code'] : [ranking.tags, 'Tags', 'Tag']
  const bars = ranked.map(({ name, scans }) => ({ label: name, scans }))
  if (of === 'code' && others > 0) bars.push({ label: 'Other codes', scans: others })
  return {
    title,
    definition: of === 'tag' ? 'A code with two tags counts in both.' : '',
    table: {
      head: [one, titleOf(kind), 'Percent'],
      rows: bars.map(({ label, scans }) => [label, scans, percentOf(scans, all)]),
    },
    drawn: { kind: 'bars', bars, all, nameOfOne: of },
  }
}

type Quiet = { name: string; total: number; lastScan: number | undefined }

/** Codes without a recent scan; `lastScan` is an instant. */
export function keptQuietCodes(definition: string, codes: readonly Quiet[]): Kept {
  const bars = codes.map(({ name, total }) => ({ label: name, scans: total }))
  return {
    title: 'Gone quiet',
    definition,
    table: {
      head: ['Code', 'Scans', 'Last scan'],
      rows: codes.map(({ name, total, lastScan }) => [
        name,
        total,
        lastScan === undefined ? '' : new Date(lastScan).toISOString().slice(0, 10),
      ]),
    },
    drawn: { kind: 'bars', bars, all: sumOf(bars), nameOfOne: 'code' },
  }
}
