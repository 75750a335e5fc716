import table from './visitor-texts.json' with { type: 'json' }

type Texts = typeof table.en

/** The texts of visitors' pages in one language. A `{value}` in them is replaced by `filled`. */
export type Words = { language: string; direction: 'ltr' | 'rtl'; texts: Texts }

const words = new Map<string, Words>()
for (const [language, texts] of Object.entries<Texts>(table)) {
  const direction = language === 'ar' ? 'rtl' : 'ltr'
  words.set(primaryOf(language), { language, direction, texts })
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

/** The longest header that is read, in characters: browsers send some dozens. */
const HEADER_MAX = 200

/**
 * The languages of an Accept-Language header in lower case, best first; those with the same weight in their order,
 * those with weight 0 not at all (RFC 9110 §12.5.4).
 */
function rankedLanguages(header = ''): string[] {
  const ranges = header.slice(0, HEADER_MAX).toLowerCase().split(',')
  return ranges
    .map((range) => {
      const [, tag = '', weight = '1'] = /^\s*([a-z\d*-]+)\s*(?:;\s*q=(\S*))?/.exec(range) ?? []
      return { tag, weight: Number(weight) }
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag)
}

/** A text with its value in place. @param html escaped */
export const filled = (text: string, html: string) => text.replace(/\{\w+\}/, () => html)
