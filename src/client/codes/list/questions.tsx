import { BIN_DAYS } from '#contract/code-values.ts'
import type { QrCode } from '#contract/codes.ts'
import type { Question } from '../../ui/messages/confirm-dialog.tsx'

type Asked = Omit<Question, 'onGo'>

/** "1 QR code", "12 QR codes". */
export const countOf = (count: number) => `${count} QR ${count === 1 ? 'code' : 'codes'}`

/** Asked before codes are deleted, in a row or many at once. */
export function deletionQuestion(codes: readonly Pick<QrCode, 'name'>[]): Asked {
  const answers = { stay: 'Cancel', go: 'Delete' }
  const [first, ...more] = codes
  if (first && more.length === 0) {
    const text = (
      <>
        <b>{first.name}</b> stops working at once, on every print and every page that shows it. For{' '}
        {BIN_DAYS} days it can be restored from the bin.
      </>
    )
    return { title: 'Delete this QR code?', text, ...answers }
  }
  const title = `Delete ${countOf(codes.length)}?`
  const text = `They stop working at once, on every print and every page that shows them. For ${BIN_DAYS} days they can be restored from the bin.`
  return { title, text, ...answers }
}

/** The question lists this many names; of the rest it says how many. */
const NAMED_MAX = 3

/** Asked before a download of codes that most scanners cannot read; null if there are none. */
export function unreadableQuestion(
  codes: readonly Pick<QrCode, 'name' | 'legibility'>[],
): Asked | null {
  const names = unreadableNames(codes)
  if (names.length === 0) return null
  const title =
    codes.length === 1
      ? 'Most scanners cannot read this code'
      : `Most scanners cannot read ${names.length} of ${codes.length} codes`
  return {
    title,
    text: `The scan check could not read ${inSentence(names)}. Open a code to see why.`,
    stay: 'Cancel',
    go: 'Download anyway',
  }
}

/** The quoted names of the codes that the scan check cannot read. */
export const unreadableNames = (codes: readonly Pick<QrCode, 'name' | 'legibility'>[]) =>
  codes.filter(({ legibility }) => legibility === 'unreadable').map(({ name }) => `“${name}”`)

/** The first names of a list, and how many more there are. */
export function inSentence(names: readonly string[]): string {
  const more = names.length - NAMED_MAX
  const shown = names.slice(0, NAMED_MAX)
  return new Intl.ListFormat('en').format(more > 0 ? [...shown, `${more} more`] : shown)
}
