import { plain } from './specification.ts'

export type TestName = { file: string; title: string }

/** `tested` rows name tests; the others say why there is none. */
export type Row = {
  kind: 'tested' | 'not built' | 'nothing to assert'
  section: string
  sentence: string
  tests: TestName[]
}

const kinds: Record<string, Row['kind']> = {
  'Not built yet': 'not built',
  'Nothing to assert': 'nothing to assert',
}

/** The rows of docs/spec-coverage.md. Under a section's heading they are sentence and tests. */
export function readCoverage(text: string): Row[] {
  return text.split(/^## /m).slice(1).flatMap(rowsUnder)
}

function rowsUnder(part: string): Row[] {
  const [heading = '', ...lines] = part.split('\n')
  const number = /^(\d+)\./.exec(heading)?.[1]
  const kind = number ? 'tested' : kinds[heading.trim()]
  if (!kind) return []
  return tableRows(lines).map((cells) => {
    const [section = '', sentence = '', tests = ''] = number ? [number, ...cells] : cells
    const names = kind === 'tested' ? testsIn(tests) : []
    return { kind, section, sentence: plain(sentence), tests: names }
  })
}

/** The cells of each row below a table's head. A bar inside a cell is escaped. */
function tableRows(lines: string[]): string[][] {
  const isLine = (line: string) => /^\|[-| ]+\|$/.test(line)
  const rows = lines.filter(
    (line, at) => line.startsWith('|') && !isLine(line) && !isLine(lines[at + 1] ?? ''),
  )
  return rows.map((row) =>
    row
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

function testsIn(cell: string): TestName[] {
  return [...cell.matchAll(/`([^`]+?) › ([^`]+)`/g)].map(([, file = '', title = '']) => ({
    file,
    title,
  }))
}
