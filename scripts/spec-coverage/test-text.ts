import { declarationsUsed } from './declarations.ts'
import { indentOf, isBlank } from './indentation.ts'

const STATEMENT = /^ *(?:test|it|for|describe)\b/

/**
 * What a test says: its own lines without its title and comments, the heads of the blocks it stands
 * in, and the declarations of its file that these use. Undefined where no test has the title.
 * It reads the layout that the formatter gives: a statement ends where a line comes back to its
 * indentation.
 */
export function testText(source: string, title: string): string | undefined {
  const lines = withoutComments(source).split('\n')
  const at = titleLine(lines, title)
  if (at === undefined) return undefined
  const start = statementStart(lines, at)
  const own = lines.slice(start, statementEnd(lines, at) + 1).join('\n')
  const text = [headsAbove(lines, start), own.replace(title, '')].join('\n')
  return [text, ...declarationsUsed(lines, text)].join('\n')
}

function withoutComments(source: string): string {
  return source.replace(/^ *\/\*\*[\s\S]*?\*\/$/gm, '').replace(/^ *\/\/.*$/gm, '')
}

/** Where a call of test or it, or what each gives, has this title. */
function titleLine(lines: string[], title: string): number | undefined {
  const literals = ["'", '"', '`'].map((mark) => mark + title + mark)
  const at = lines.findIndex((line, number) =>
    literals.some((literal) => {
      const before = line.split(literal)[0] ?? ''
      if (before === line) return false
      const call = before.trim() === '' ? (lines[number - 1] ?? '') : before
      return /(?:\b(?:test|it)|\))\($/.test(call.trimEnd())
    }),
  )
  return at === -1 ? undefined : at
}

/** Back to the line that begins the statement: a table of cases may stand before the title. */
function statementStart(lines: string[], at: number): number {
  let start = at
  while (start > 0 && !STATEMENT.test(lines[start] as string)) start--
  return start
}

function statementEnd(lines: string[], at: number): number {
  const indent = indentOf(lines[statementStart(lines, at)] as string)
  let end = at
  while (end < lines.length - 1) {
    end++
    const line = lines[end] as string
    if (!isBlank(line) && indentOf(line) <= indent && /^ *[)}\]]+;?\)?$/.test(line)) return end
  }
  return end
}

/** The heads of the loops and describes around a line: their tables belong to the test. */
function headsAbove(lines: string[], start: number): string {
  const heads: string[] = []
  let indent = indentOf(lines[start] as string)
  for (let at = start - 1; at >= 0 && indent > 0; at--) {
    const line = lines[at] as string
    if (isBlank(line) || indentOf(line) >= indent) continue
    indent = indentOf(line)
    const first = statementStart(lines, at)
    heads.push(lines.slice(first, at + 1).join('\n'))
    at = first
  }
  return heads.join('\n')
}
