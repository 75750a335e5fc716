import { BIN_DAYS } from '#contract/codes/code-values.ts'
import type { QrCode } from '#contract/codes/codes.ts'
import { counted, formatCount, listText } from '../../formats.ts'
import type { Asked } from '../../ui/messages/confirm-dialog.tsx'

/** "1 QR code", "12 QR codes". */
export const countOf = (count: number) => counted(count, 'QR code')

/** Asked before codes are deleted, in a row or many at once. */
export function deletionQuestion(codes: readonly Pick<QrCode, 'name'>[]): Asked {
  if (codes.length > 1) {
    const text = `They’ll stop working right away, everywhere they’re printed or shown. You can restore them from the trash for ${BIN_DAYS} days.`
    return { title: `Delete ${countOf(codes.length)}?`, text, go: 'Delete' }
  }
  const text = (
    <>
      <b>{codes[0]?.name}</b> will stop working right away, everywhere it’s printed or shown. You
      can restore it from the trash for {BIN_DAYS} days.
    </>
  )
  return { title: 'Delete this QR code?', text, go: 'Delete' }
}

/** Asked before a download of one code that most scanners can't read, beside why. */
export const UNREADABLE = { title: 'Most scanners can’t read this code', go: 'Download anyway' }

/** The question lists this many names; of the rest it says how many. */
const NAMED_MAX = 3

/** Asked before a download of codes that most scanners can't read; null if there are none. */
export function unreadableQuestion(
  codes: readonly Pick<QrCode, 'name' | 'legibility'>[],
): Asked | null {
  const names = unreadableNames(codes)
  if (names.length === 0) return null
  const title =
    codes.length === 1
      ? UNREADABLE.title
      : `Most scanners can’t read ${formatCount(names.length)} of ${countOf(codes.length)}`
  return {
    title,
    text: `Our test scanners couldn’t read ${inSentence(names)}. Open a code to see why.`,
    go: UNREADABLE.go,
  }
}

/** The quoted names of the codes that the scan check cannot read. */
export const unreadableNames = (codes: readonly Pick<QrCode, 'name' | 'legibility'>[]) =>
  codes.filter(({ legibility }) => legibility === 'unreadable').map(({ name }) => `“${name}”`)

/** The first names of a list, and how many more there are. */
export function inSentence(names: readonly string[]): string {
  const more = names.length - NAMED_MAX
  const shown = names.slice(0, NAMED_MAX)
  return listText(more > 0 ? [...shown, `${more} more`] : shown)
}
