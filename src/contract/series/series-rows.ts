/*
 * Values only: how a name and a destination with a gap in them become the rows of a series. The
 * dialog shows them before anything is saved.
 */

import { SERIES_MAX } from '../codes/code-values.ts'
import { completed } from '../links.ts'

/** The values for the gap of each row: counted numbers, or the lines that a user pasted. */
export type SeriesValues =
  | { kind: 'numbers'; from: number; to: number; leadingZeros: boolean }
  | { kind: 'lines'; text: string }

export type SeriesPattern = { name: string; url: string; values: SeriesValues }

export type SeriesRow = { name: string; url: string }

/** `problem` is about the values as a whole; then `rows` is empty. */
export type Expansion = { rows: SeriesRow[]; problem: null } | { rows: []; problem: string }

/** One value, and the destination that its line brings along. */
type Value = { text: string; url?: string }

const NUMBER_MAX = 999_999
const TOO_MANY = 'A series can have up to 1,000 QR codes.'

/** The rows of a series: one for each value, in their order. Mistakes in a row are not judged here. */
export function expandSeries({ name, url, values }: SeriesPattern): Expansion {
  const read = values.kind === 'numbers' ? numbered(values) : valuesOfLines(values.text)
  if (typeof read === 'string') return { rows: [], problem: read }
  const rows = read.map((value) => ({
    name: nameWith(name, value.text),
    url: completed(value.url ?? filled(url, encodeURIComponent(value.text.toWellFormed()))),
  }))
  return { rows, problem: null }
}

function numbered(values: Extract<SeriesValues, { kind: 'numbers' }>): Value[] | string {
  const { from, to, leadingZeros } = values
  const isNumber = (number: number) => Number.isInteger(number) && number >= 0
  if (!isNumber(from) || !isNumber(to)) return 'Enter two whole numbers, such as 1 and 20.'
  if (to < from) return 'The last number is smaller than the first.'
  if (to > NUMBER_MAX) return 'Numbers go up to 999,999.'
  if (to - from >= SERIES_MAX) return TOO_MANY
  const width = leadingZeros ? String(to).length : 0
  return Array.from({ length: to - from + 1 }, (_, index) => ({
    text: String(from + index).padStart(width, '0'),
  }))
}

function valuesOfLines(text: string): Value[] | string {
  const lines = text.split(/[\r\n]+/).filter((line) => line.trim() !== '')
  if (lines.length === 0) return 'Enter or paste one line for each QR code.'
  return lines.length > SERIES_MAX ? TOO_MANY : lines.map(valueIn)
}

/** A comma belongs to the value unless a web address follows; a tab comes from a spreadsheet's columns. */
const WITH_DESTINATION = /^([^\t]*)\t(.*)$|^(.*?)\s*,\s*(https?:\/\/\S+)$/i

function valueIn(line: string): Value {
  const found = WITH_DESTINATION.exec(line.trimEnd())
  const text = (found?.[1] ?? found?.[3] ?? line).trim()
  const url = (found?.[2] ?? found?.[4] ?? '').trim()
  return url === '' ? { text } : { text, url }
}

const GAP = /\{(?:n|value)\}/gi

/** A name without a gap gets the value at its end: no two rows are to have one name. */
function nameWith(name: string, value: string): string {
  const whole = name.search(GAP) === -1 ? `${name} {n}` : name
  return filled(whole, value).trim()
}

const filled = (text: string, value: string) => text.trim().replace(GAP, () => value)
