import {
  type Facet,
  type Step,
  scanClassNames,
  UNKNOWN,
} from '#contract/analytics/figure-values.ts'
import type { Breakdown, Classes, Heatmap } from '#contract/analytics/figures.ts'
import type { Points } from '../../chart/drawing.ts'
import type { Kind } from '../asked/view.ts'
import { facetWords, hourText, nounOf, stepNames, titleOf, weekdays } from '../words.ts'
import type { Kept } from './kept.ts'

/* What each card of the drawer keeps: its numbers as a table, and what its picture is drawn from. */

type Line = { points: Points; by: Step; kind: Kind; form: 'bars' | 'line'; before: string }

export function keptLine({ points, by, kind, form, before }: Line): Kept {
  const isOfPeople = kind === 'people'
  const hasBefore = points.some((point) => point.before !== null)
  const names = {
    scans: titleOf(kind),
    visitors: isOfPeople ? 'Visitors' : undefined,
    before: hasBefore ? before : undefined,
  }
  const { visitors, before: former } = names
  const title = `${titleOf(kind)} over time`
  return {
    ...{ title, what: title },
    definition: isOfPeople
      ? 'Scans by people, without bots and link previews. Visitors are different people: who scans a code on two days (UTC) counts twice.'
      : 'Visits by bots, link previews and the like, which never count as scans.',
    table: {
      head: [stepNames[by], names.scans, visitors, former].filter((name) => name !== undefined),
      rows: points.map((point) => [
        point.at.replace('T', ' '),
        point.scans,
        ...(visitors ? [point.visitors ?? ''] : []),
        ...(former ? [point.before ?? ''] : []),
      ]),
    },
    drawn: { kind: 'line', points, by, form, names },
  }
}

/** Facets whose values are codes of a list that others know, too. */
const isCoded = (facet: Facet) => facet === 'country' || facet === 'language'

export function keptList(facet: Facet, breakdown: Breakdown, kind: Kind): Kept {
  const { rows, unknown, others, scans } = breakdown
  const { title, one, unknown: unknownName, definition } = facetWords[facet]
  const all = [
    ...rows,
    ...(unknown > 0 ? [{ value: UNKNOWN, label: unknownName, scans: unknown }] : []),
  ].sort((a, b) => b.scans - a.scans)
  if (others > 0) all.push({ value: UNKNOWN, label: 'Other values', scans: others })
  const codeOf = (value: string) => (value === UNKNOWN ? '' : value)
  const share = (part: number) => (scans > 0 ? Math.round((1_000 * part) / scans) / 10 : 0)
  const bars = { bars: all, all: scans, nameOfOne: 'value' }
  return {
    title: `${titleOf(kind)}: ${title}`,
    ...{ what: title, definition },
    table: {
      head: [one, ...(isCoded(facet) ? ['Code'] : []), titleOf(kind), 'Percent'],
      rows: all.map((row) => [
        row.label,
        ...(isCoded(facet) ? [codeOf(row.value)] : []),
        row.scans,
        share(row.scans),
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
    definition: 'The darker, the more.',
    table: {
      head: ['Hour', ...weekdays],
      rows: Array.from({ length: 24 }, (_, hour) => [
        hourText(hour),
        ...rows.map((row) => row[hour] ?? 0),
      ]),
    },
    drawn: { kind: 'hours', rows, noun: nounOf(kind) },
  }
}

export function keptReasons(rows: Classes['rows']): Kept {
  return {
    title: 'People or programs',
    what: 'people or programs',
    definition: 'Each visit is told apart by what its browser says, and only people are counted.',
    table: {
      head: ['Taken for', 'Reason', 'Visits'],
      rows: rows.map((row) => [scanClassNames[row.class], row.reason, row.scans]),
    },
    drawn: {
      kind: 'bars',
      bars: rows.map((row) => ({
        label: `${scanClassNames[row.class]}: ${row.reason}`,
        scans: row.scans,
      })),
      all: rows.reduce((sum, row) => sum + row.scans, 0),
      nameOfOne: 'reason',
    },
  }
}

type Code = { name: string; total: number; lastScan: number | undefined }

/** Of a list of codes; `lastScan` is an instant. */
export function keptCodes(title: string, definition: string, codes: readonly Code[]): Kept {
  return {
    ...{ title, what: title, definition },
    table: {
      head: ['Code', 'Scans', 'Last scan'],
      rows: codes.map(({ name, total, lastScan }) => [
        name,
        total,
        lastScan === undefined ? '' : new Date(lastScan).toISOString().slice(0, 10),
      ]),
    },
    drawn: {
      kind: 'bars',
      bars: codes.map(({ name, total }) => ({ label: name, scans: total })),
      all: codes.reduce((sum, { total }) => sum + total, 0),
      nameOfOne: 'code',
    },
  }
}

/** Of the tags of codes; `all` are the scans of all codes. */
export function keptTags(
  title: string,
  definition: string,
  tags: readonly { name: string; codes: number; scans: number }[],
  all: number,
): Kept {
  return {
    ...{ title, what: title, definition },
    table: {
      head: ['Tag', 'Codes', 'Scans'],
      rows: tags.map(({ name, codes, scans }) => [name, codes, scans]),
    },
    drawn: {
      kind: 'bars',
      bars: tags.map(({ name, scans }) => ({ label: name, scans })),
      all,
      nameOfOne: 'tag',
    },
  }
}
