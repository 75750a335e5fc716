import type { Row, TestName } from './coverage.ts'
import { fixedParts, namedIn, quotedIn, type Specification } from './specification.ts'
import { testText } from './test-text.ts'

export type Given = {
  specification: Specification
  rows: Row[]
  /** The source of a test file; undefined where there is none. */
  testFile: (path: string) => string | undefined
  /** The product's sources. */
  product: string[]
}

/** Why docs/spec-coverage.md is not true, a line each. */
export function faultsOf({ specification, rows, testFile, product }: Given): string[] {
  return [
    ...[...specification].flatMap(([section, text]) => gaps(section, text, rows)),
    ...rows.filter((row) => isStale(row, specification)).map((row) => `${place(row)}: ${STALE}`),
    ...rows.flatMap((row) => (row.kind === 'tested' ? testFaults(row, testFile) : [])),
    ...rows.flatMap((row) => (row.kind === 'not built' ? builtFaults(row, product) : [])),
  ]
}

const STALE = 'is not in the specification any more'

const place = ({ section, sentence }: Row) => `section ${section}, “${sentence}”`

const isStale = ({ section, sentence }: Row, specification: Specification) =>
  !specification.get(section)?.includes(sentence)

const COVERED = '\n'

/** What of a section is in no row. A short sentence may be part of a longer one, which goes first. */
function gaps(section: string, text: string, rows: Row[]): string[] {
  const sentences = rows.filter((row) => row.section === section).map((row) => row.sentence)
  let rest = text
  for (const sentence of sentences.sort((a, b) => b.length - a.length)) {
    rest = rest.replace(sentence, () => COVERED)
  }
  const left = rest.split(COVERED).filter((piece) => /[\p{L}\p{N}]/u.test(piece))
  const inRows = new Set(sentences.flatMap(quotedIn))
  const missing = [...new Set(quotedIn(text))].filter((quoted) => !inRows.has(quoted))
  return [
    ...left.map((piece) => `section ${section}: no row has “${piece.trim()}”`),
    ...missing.map((quoted) => `section ${section}: no row has '${quoted}'`),
  ]
}

function testFaults(row: Row, testFile: Given['testFile']): string[] {
  if (row.tests.length === 0) return [`${place(row)}: names no test`]
  const texts = row.tests.map((test) => textOf(test, testFile))
  const unknown = row.tests.filter((_, at) => texts[at] === undefined)
  if (unknown.length > 0) {
    return unknown.map(({ file, title }) => `${place(row)}: there is no test “${title}” in ${file}`)
  }
  const said = withPlainNumbers(texts.join('\n'))
  return namedIn(row.sentence, row.section)
    .filter((named) => !fixedParts(named).every((part) => says(said, part)))
    .map((named) => `${place(row)}: none of its tests has '${named}'`)
}

function textOf({ file, title }: TestName, testFile: Given['testFile']): string | undefined {
  const source = testFile(file)
  return source === undefined ? undefined : testText(source, title)
}

/** 1_000 and 1000 are one number. */
const withPlainNumbers = (text: string) => text.replace(/(?<=\d)_(?=\d)/g, '')

/** As words or a number of its own: Active is not in Inactive, nor 3 in 13 and 3.99. */
function says(text: string, part: string): boolean {
  const before = /^\d/.test(part) ? '(?<![\\d.])' : /^\p{L}/u.test(part) ? '(?<!\\p{L})' : ''
  const after = /\d$/.test(part) ? '(?!\\.?\\d)' : /\p{L}$/u.test(part) ? '(?!\\p{L})' : ''
  return new RegExp(before + literal(part) + after, 'u').test(text)
}

/** A text as a pattern that matches it and nothing else. */
const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')

/** As much as an expression may stand between two fixed parts of a text, as in {tier}. */
const BETWEEN = '.{0,60}'

/** A text that waits for its issue, and is in the product already. */
function builtFaults(row: Row, product: string[]): string[] {
  const isBuilt = (named: string) => {
    const parts = fixedParts(named).map(literal)
    const pattern = new RegExp(`['">\`\\s]${parts.join(BETWEEN)}`, 's')
    return parts.length > 0 && product.some((source) => pattern.test(source))
  }
  return quotedIn(row.sentence)
    .filter(isBuilt)
    .map((named) => `${place(row)}: '${named}' is built by now, so a test has to be named`)
}
