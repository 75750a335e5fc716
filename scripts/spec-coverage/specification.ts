/** The specification by its sections' numbers: plain running text, without marks of lists and tables. */
export type Specification = Map<string, string>

const HEADING = /^#+ /
const TABLE_LINE = /^\|[-| ]+\|$/

export function readSpecification(text: string): Specification {
  const sections: Specification = new Map()
  for (const part of text.split(/^## /m).slice(1)) {
    const number = /^(\d+)\./.exec(part)?.[1]
    if (number) sections.set(number, textOf(part.split('\n').slice(1)))
  }
  return sections
}

function textOf(lines: string[]): string {
  const isTableHead = (at: number) => TABLE_LINE.test(lines[at + 1] ?? '')
  const kept = lines.filter(
    (line, at) => !HEADING.test(line) && !TABLE_LINE.test(line) && !isTableHead(at),
  )
  return plain(kept.map((line) => line.replace(/^- /, '')).join('\n'))
}

/** Running text: the bars between cells, escaped or not, and line ends are spaces. */
export function plain(text: string): string {
  return text.replace(/\\?\|/g, ' ').replace(/\s+/g, ' ').trim()
}

/** A mark opens where no word ends and closes where none goes on: user's and You're hold apostrophes. */
const QUOTED = /(?<![\p{L}\p{N}])'(?=\S)(.+?)(?<=\S)'(?![\p{L}\p{N}])/gu
const HEX_COLOUR = /#[0-9a-f]{6}\b/gi
const NUMBER = /(?<![\w.#])\d[\d,]*(?:\.\d+)?(?![\d.]*\w)/g

/** What stands in the specification's quotation marks, as it is. */
export function quotedIn(text: string): string[] {
  return [...text.matchAll(QUOTED)].map(([, quoted]) => quoted as string)
}

/** The section of the business constants: there every number counts. */
const CONSTANTS = '9'

/** All of a sentence that a test of it has to name: quoted texts, colours, and the constants' numbers. */
export function namedIn(sentence: string, section: string): string[] {
  const unquoted = sentence.replaceAll(QUOTED, ' ')
  const colours = unquoted.match(HEX_COLOUR) ?? []
  const numbers = section === CONSTANTS ? (unquoted.match(NUMBER) ?? []) : []
  return [...quotedIn(sentence), ...colours, ...numbers.map((one) => one.replaceAll(',', ''))]
}

const PLACEHOLDER = /\{[^}]*\}|\b(?:N\/limit|N|X|Y)\b/

/** What of a text is the same wherever it is shown: {date}, N and the like change. */
export function fixedParts(named: string): string[] {
  return named
    .split(new RegExp(PLACEHOLDER, 'g'))
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
