/** A longer name isn’t a misspelling of one of ours. */
const NAME_MAX = 40
/** A name may have one wrong letter in three, and at most two. */
const LETTERS_EACH = 3
const WRONG_MAX = 2

/** The one of these names that a misspelled one was probably meant to be, such as `tags` for `Tag_s`. */
export function nearestName(typed: string, names: readonly string[]): string | undefined {
  if (typed.length > NAME_MAX) return undefined
  const most = Math.min(WRONG_MAX, Math.floor(typed.length / LETTERS_EACH))
  const [nearest] = names
    .map((name) => ({ name, wrong: wrongLetters(plain(typed), plain(name)) }))
    .filter(({ wrong }) => wrong <= most)
    .sort((one, other) => one.wrong - other.wrong)
  return nearest?.name
}

const plain = (name: string) => name.toLowerCase().replace(/[_-]/g, '')

/** How many letters are others, too many or missing: Levenshtein’s distance */
function wrongLetters(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let at = 0; at < one.length; at++) {
    const next = [at + 1]
    for (let to = 0; to < other.length; to++) {
      const isOther = Number(one[at] !== other[to])
      const [left = 0, above = 0, both = 0] = [next[to], row[to + 1], row[to]]
      next.push(Math.min(left + 1, above + 1, both + isOther))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
