const STATEMENT = /^ *(?:test|it|for|describe)\b/
const DECLARATION = /^(?:export )?(?:async )?(?:const|function) (\w+)/

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

const indentOf = (line: string) => line.length - line.trimStart().length
const isBlank = (line: string) => line.trim() === ''

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

/** Constants and functions of the file that a text uses, and those that they use. */
function declarationsUsed(lines: string[], text: string): string[] {
  const declared = declarations(lines)
  const used = new Map<string, string>()
  const collect = (from: string) => {
    for (const [name, declaration] of declared) {
      if (used.has(name) || !new RegExp(`\\b${name}\\b`).test(from)) continue
      used.set(name, declaration)
      collect(declaration)
    }
  }
  collect(text)
  return [...used.values()]
}

function declarations(lines: string[]): Map<string, string> {
  const found = new Map<string, string>()
  for (const [at, line] of lines.entries()) {
    const name = DECLARATION.exec(line.trimStart())?.[1]
    if (!name || !isShared(lines, at)) continue
    found.set(name, lines.slice(at, declarationEnd(lines, at) + 1).join('\n'))
  }
  return found
}

/** What a test declares is its own; what the file or a describe does, all its tests may use. */
function isShared(lines: string[], at: number): boolean {
  const indent = indentOf(lines[at] as string)
  if (indent === 0) return true
  if (indent > 2) return false
  const head = lines.slice(0, at).findLast((line) => !isBlank(line) && indentOf(line) === 0) ?? ''
  return /^(?:test\.)?describe\b/.test(head)
}

/** The next line that is no deeper ends a declaration: it belongs to it only where it closes a bracket. */
function declarationEnd(lines: string[], at: number): number {
  const indent = indentOf(lines[at] as string)
  for (let end = at + 1; end < lines.length; end++) {
    const line = lines[end] as string
    if (isBlank(line)) return end
    if (indentOf(line) > indent) continue
    if (!/^ *[)}\]]/.test(line)) return end - 1
    if (!/[({[]$/.test(line)) return end
  }
  return lines.length - 1
}
