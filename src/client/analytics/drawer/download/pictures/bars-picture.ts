import { formatCount } from '../../../../formats.ts'
import { short } from '../../../chart/drawing.ts'
import { shareText } from '../../words.ts'
import type { Bars } from '../kept.ts'
import { type Body, fitted, QUIET, SCANS, TEXT, TINT, textAt, WIDTH } from './svg.ts'

/** Bars of one picture; a text below counts the others. */
const BARS_MAX = 20

const ROW = 30
const SIZE = 14
const NAMES = 320
const SHARE = 70
const COUNT = 90
const BARS = WIDTH - NAMES - SHARE - COUNT - 24

/** Values with their scans, as bars. */
export function barsPicture({ bars, all, nameOfOne }: Bars): Body {
  const shown = bars.slice(0, BARS_MAX)
  const rest = bars.slice(BARS_MAX)
  const most = Math.max(1, ...shown.map(({ scans }) => scans))
  const rows = shown.map(({ label, scans }, index) => {
    const y = index * ROW
    const base = y + 20
    return [
      textAt(0, base, fitted(label, SIZE, NAMES), { size: SIZE, fill: TEXT }),
      `<rect x="${NAMES + 12}" y="${y + 6}" width="${BARS}" height="18" rx="3" fill="${TINT}"/>`,
      `<rect x="${NAMES + 12}" y="${y + 6}" width="${short((BARS * scans) / most)}" height="18" rx="3" fill="${SCANS}"/>`,
      textAt(WIDTH - SHARE, base, formatCount(scans), { size: SIZE, fill: TEXT, anchor: 'end' }),
      textAt(WIDTH, base, shareText(scans, all), { size: SIZE, fill: QUIET, anchor: 'end' }),
    ].join('')
  })
  if (rest.length > 0) {
    const scans = rest.reduce((sum, each) => sum + each.scans, 0)
    const text = `and ${formatCount(rest.length)} more ${nameOfOne}${rest.length === 1 ? '' : 's'} with ${formatCount(scans)}`
    rows.push(textAt(0, rows.length * ROW + 20, text, { size: SIZE, fill: QUIET }))
  }
  return { height: Math.max(1, rows.length) * ROW, drawing: rows.join('') }
}
