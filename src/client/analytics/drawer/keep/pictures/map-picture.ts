import { shadeOf } from '../../heat.ts'
import world from '../../map/world-shapes.json'
import { EDGE, shadeColour } from './colours.ts'
import { shadeKeys } from './legend.ts'
import { type Body, WIDTH } from './page.ts'

type Country = { value: string; scans: number }

const SCALE = WIDTH / world.width
const HEIGHT = Math.ceil(world.height * SCALE)

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
  const below = HEIGHT + 40
  return {
    height: below + list.height,
    drawing: `${map}<g transform="translate(0 ${HEIGHT + 8})">${shadeKeys(most, noun)}</g><g transform="translate(0 ${below})">${list.drawing}</g>`,
  }
}
