import { short } from '../../../chart/drawing.ts'
import { shadeOf } from '../../heat.ts'
import { hourText, weekdays } from '../../words.ts'
import { QUIET, shadeColour } from './colours.ts'
import { shadeKeys } from './legend.ts'
import { type Body, WIDTH } from './page.ts'
import { textAt } from './svg-text.ts'

const LEFT = 96
const TOP = 22
const ROW = 32
const GAP = 2
const HOURS = 24
/** Hours with a word above them. */
const NAMED = 3
const SIZE = 12

/** Scans by weekday and hour, the darker the more. */
export function hoursPicture(rows: readonly (readonly number[])[], noun: string): Body {
  const most = Math.max(0, ...rows.flat())
  const pitch = (WIDTH - LEFT) / HOURS
  const hours = Array.from({ length: HOURS / NAMED }, (_, index) =>
    textAt(LEFT + index * NAMED * pitch, 14, hourText(index * NAMED), { size: SIZE, fill: QUIET }),
  )
  const cells = weekdays.flatMap((weekday, day) => {
    const y = TOP + day * ROW
    const name = textAt(0, y + 20, weekday, { size: SIZE + 1, fill: QUIET })
    const cell = (scans: number, hour: number) =>
      `<rect x="${short(LEFT + hour * pitch)}" y="${y}" width="${short(pitch - GAP)}" height="${ROW - GAP}" rx="3" fill="${shadeColour(shadeOf(scans, most))}"/>`
    return [name, ...(rows[day] ?? []).map(cell)]
  })
  const below = TOP + weekdays.length * ROW + 10
  const legend = `<g transform="translate(${LEFT} ${below})">${shadeKeys(most, noun)}</g>`
  return { height: below + 20, drawing: [...hours, ...cells, legend].join('') }
}
