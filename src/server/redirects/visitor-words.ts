import { rankedLanguages } from './ranked-languages.ts'
import table from './visitor-texts.json' with { type: 'json' }

type Language = keyof typeof table

/** The texts of visitors' pages in one language. A `{value}` in them is replaced by `filled`. */
export type Words = { language: Language; texts: typeof table.en }

const words = new Map<string, Words>()
for (const language of Object.keys(table) as Language[]) {
  words.set(primaryOf(language), { language, texts: table[language] })
}
const english = words.get('en') as Words

/** All Chinese readers get simplified characters, all Portuguese ones the same texts. */
function primaryOf(tag: string): string {
  return tag.split('-', 1)[0] ?? ''
}

/** The words of the language that a reader ranks first among ours, else English. `*` means any: English. */
export function wordsFor(acceptLanguage: string | undefined): Words {
  for (const tag of rankedLanguages(acceptLanguage)) {
    const known = tag === '*' ? english : words.get(primaryOf(tag))
    if (known) return known
  }
  return english
}

/** A text with its value in place. @param html escaped */
export const filled = (text: string, html: string) => text.replace(/\{\w+\}/, () => html)
