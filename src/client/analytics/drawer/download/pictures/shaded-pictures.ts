import { short } from '../../../chart/drawing.ts'
import { shadeOf } from '../../figures.ts'
import world from '../../map/world-shapes.json'
import { hourText, weekdays } from '../../words.ts'
import { type Body, EDGE, QUIET, shadeColour, shadeKeys, textAt, WIDTH } from './svg.ts'

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

type Country = { value: string; scans: number }

const SCALE = WIDTH / world.width
const MAP_HEIGHT = Math.ceil(world.height * SCALE)

/** The countries, the darker the more scans, above a list of them. */
export function mapPicture(countries: readonly Country[], noun: string, list: Body): Body {
  const scansOf = new Map(countries.map(({ value, scans }) => [value, scans]))
  const most = Math.max(0, ...scansOf.values())
  const fill = (code: string) => `fill="${shadeColour(shadeOf(scansOf.get(code) ?? 0, most))}"`
  const drawn = [
    ...Object.entries(world.shapes).map(([code, d]) => `<path ${fill(code)} d="${d}"/>`),
    ...Object.entries(world.dots)
      .filter(([code]) => scansOf.has(code))
      .map(([code, [x, y]]) => `<circle ${fill(code)} cx="${x}" cy="${y}" r="9"/>`),
  ]
  const map = `<g transform="scale(${SCALE})" fill-rule="evenodd" stroke="${EDGE}" stroke-width="1.5">${drawn.join('')}</g>`
  const below = MAP_HEIGHT + 40
  return {
    height: below + list.height,
    drawing: `${map}<g transform="translate(0 ${MAP_HEIGHT + 8})">${shadeKeys(most, noun)}</g><g transform="translate(0 ${below})">${list.drawing}</g>`,
  }
}
