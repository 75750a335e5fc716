import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The HTML pages of src/client; each has its script or its style of the same name. */
export const pageNames = ['landing', 'app', 'sign-in', 'sandbox', 'share', 'docs']

export const allBuilt = (clientDir: string) =>
  pageNames.every((name) => existsSync(join(clientDir, `${name}.html`)))

/** Fills the marks of a built page. */
export function fillMarks(html: string, markup: Record<string, string>): string {
  return Object.entries(markup).reduce((filled, [name, text]) => {
    const mark = `<!--${name}-->`
    if (!filled.includes(mark)) throw new Error(`The page has no ${mark} mark`)
    return filled.replace(mark, () => text)
  }, html)
}
