import { indentOf, isBlank } from './indentation.ts'

const DECLARATION = /^(?:export )?(?:async )?(?:const|function) (\w+)/

/** Constants and functions of the file that a text uses, and those that they use. */
export function declarationsUsed(lines: string[], text: string): string[] {
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
