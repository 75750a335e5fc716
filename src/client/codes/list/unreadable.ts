import type { QrCode } from '#contract/codes.ts'
import type { Ask } from '../../ui/question.tsx'

type Checked = Pick<QrCode, 'name' | 'legibility'>

/** Names that a question lists; of more it says how many. */
const NAMED_MAX = 3

/** Goes on at once, or asks first where some codes would be downloaded for print that no phone can read. */
export function askIfUnreadable(codes: readonly Checked[], ask: Ask, proceed: () => void): void {
  const names = codes
    .filter(({ legibility }) => legibility === 'unreadable')
    .map(({ name }) => `“${name}”`)
  if (names.length === 0) proceed()
  else
    ask({
      title:
        codes.length === 1
          ? 'This code cannot be scanned'
          : `${names.length} of ${codes.length} codes cannot be scanned`,
      text: `The scan check could not read ${listed(names)}. Open a code to see why.`,
      stay: 'Cancel',
      go: 'Download anyway',
      onGo: proceed,
    })
}

function listed(names: readonly string[]): string {
  const more = names.length - NAMED_MAX
  const shown = names.slice(0, NAMED_MAX)
  return new Intl.ListFormat('en').format(more > 0 ? [...shown, `${more} more`] : shown)
}
