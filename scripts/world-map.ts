/**
 * Draws the countries of the drawer's map: src/client/analytics/drawer/map/world-shapes.json. They come from
 * Natural Earth (public domain) by the package world-atlas (ISC). To be run again when borders change.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

type Arc = [number, number][]
type Country = {
  type: 'Polygon' | 'MultiPolygon'
  arcs: number[][] | number[][][]
  /** ISO 3166-1 numeric */
  id?: string
  properties: { name: string }
}
/** https://github.com/topojson/topojson-specification: arcs are quantised, each point is a step. */
type Topology = {
  objects: { countries: { geometries: Country[] } }
  arcs: Arc[]
  transform: { scale: [number, number]; translate: [number, number] }
}
type Ring = [number, number][]

const FILE = new URL('../src/client/analytics/drawer/map/world-shapes.json', import.meta.url)
/** The map is as wide as this, in its own units; whole ones are fine enough for a wide screen. */
const WIDTH = 2000
/** Latitudes below are ice, without scans. */
const SOUTHERNMOST = -57

const require = createRequire(import.meta.url)
const topologyOf = (detail: '110m' | '50m'): Topology =>
  JSON.parse(readFileSync(require.resolve(`world-atlas/countries-${detail}.json`), 'utf8'))

/** Countries without a number of ISO 3166-1: on the map they have the code of the country beside them. */
const unnumbered: Record<string, string> = { Kosovo: 'XK', 'N. Cyprus': 'CY', Somaliland: 'SO' }

/** ISO 3166-1 alpha-2, undefined for what is not drawn: Antarctica, and places without a code. */
function codeOf({ id, properties }: Country): string | undefined {
  const code = id ? new Intl.Locale(`und-${id}`).region : unnumbered[properties.name]
  return code === 'AQ' ? undefined : code
}

/** The meridian in the middle: the edges are then in the Bering Strait, where no country is cut. */
const MIDDLE = 11

/** The projection "Natural Earth" of Tom Patterson: degrees to radians, as large as on a sphere of 1. */
function projected([longitude, latitude]: [number, number]): [number, number] {
  const [x, y] = [((longitude - MIDDLE) * Math.PI) / 180, (latitude * Math.PI) / 180]
  const [y2, y4] = [y ** 2, y ** 4]
  const wide = 0.8707 - 0.131979 * y2 + y4 * (-0.013791 + y4 * (0.003971 * y2 - 0.001529 * y4))
  const high = 1.007226 + y2 * (0.015085 + y4 * (-0.044475 + 0.028874 * y2 - 0.005916 * y4))
  return [x * wide, y * high]
}

const SCALE = WIDTH / (2 * projected([180 + MIDDLE, 0])[0])
const TOP = projected([MIDDLE, 84])[1]
const HEIGHT = Math.round((TOP - projected([MIDDLE, SOUTHERNMOST])[1]) * SCALE)

function placed(point: [number, number]): [number, number] {
  const [x, y] = projected(point)
  return [Math.round(WIDTH / 2 + x * SCALE), Math.round((TOP - y) * SCALE)]
}

/** The rings of a country's parts and of the holes in them. */
function ringsOf({ arcs, transform }: Topology, country: Country): Ring[] {
  const { scale, translate } = transform
  const pointsOf = (index: number): Ring => {
    let [x, y] = [0, 0]
    const points = (arcs[index < 0 ? ~index : index] ?? []).map(([dx, dy]): [number, number] => {
      ;[x, y] = [x + dx, y + dy]
      return [x * scale[0] + translate[0], y * scale[1] + translate[1]]
    })
    return index < 0 ? points.reverse() : points
  }
  const parts = (country.type === 'Polygon' ? [country.arcs] : country.arcs) as number[][][]
  return parts.flatMap((rings) => rings.map((ring) => inOnePiece(ring.flatMap(pointsOf))))
}

/** A ring that crosses the 180th meridian goes on beyond it, on the side where most of it is. */
function inOnePiece(ring: Ring): Ring {
  let turn = 0
  let last = ring[0]?.[0] ?? 0
  const unrolled = ring.map(([x, y]): [number, number] => {
    if (x - last > 180) turn -= 360
    if (last - x > 180) turn += 360
    last = x
    return [x + turn, y]
  })
  const middle = unrolled.reduce((sum, [x]) => sum + x, 0) / unrolled.length
  const shift = -360 * Math.round((middle - MIDDLE) / 360)
  return unrolled.map(([x, y]) => [x + shift, y])
}

/** Its steps from point to point; points that fall on the one before, or on a straight line, are left out. */
function pathOf(ring: Ring): string {
  const steps: [number, number][] = []
  let [first, ...rest] = ring.map(placed)
  if (!first) return ''
  const start = first
  for (const point of rest) {
    const step: [number, number] = [point[0] - first[0], point[1] - first[1]]
    if (step[0] === 0 && step[1] === 0) continue
    const before = steps.at(-1)
    const isStraight = before && before[0] * step[1] === before[1] * step[0]
    if (isStraight && before[0] * step[0] + before[1] * step[1] > 0) {
      before[0] += step[0]
      before[1] += step[1]
    } else steps.push(step)
    first = point
  }
  if (steps.length < 3) return ''
  const words = steps.map(([dx, dy]) => `${dx}${dy < 0 ? '' : ' '}${dy}`)
  return `M${start[0]} ${start[1]}l${words.join(' ').replaceAll(' -', '-')}z`
}

/** The middle of the largest part, by the corners around it. */
function middleOf(rings: Ring[]): [number, number] {
  const size = (ring: Ring) => {
    const [xs, ys] = [ring.map(([x]) => x), ring.map(([, y]) => y)]
    return [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)] as const
  }
  const boxes = rings
    .map(size)
    .sort((a, b) => (b[1] - b[0]) * (b[3] - b[2]) - (a[1] - a[0]) * (a[3] - a[2]))
  const [west, east, south, north] = boxes[0] ?? [0, 0, 0, 0]
  return placed([(west + east) / 2, (south + north) / 2])
}

const shapes = new Map<string, string>()
const coarse = topologyOf('110m')
for (const country of coarse.objects.countries.geometries) {
  const code = codeOf(country)
  if (!code) continue
  const path = ringsOf(coarse, country).map(pathOf).join('')
  if (path) shapes.set(code, (shapes.get(code) ?? '') + path)
}

/** Countries too small for a shape. */
const dots = new Map<string, [number, number]>()
const fine = topologyOf('50m')
for (const country of fine.objects.countries.geometries) {
  const code = codeOf(country)
  if (code && !shapes.has(code)) dots.set(code, middleOf(ringsOf(fine, country)))
}

const sorted = <Value>(map: Map<string, Value>) =>
  Object.fromEntries([...map].sort(([a], [b]) => (a < b ? -1 : 1)))
/** Countries by ISO 3166-1 alpha-2: shapes as the data of a path, dots as the middle of a small one. */
const world = {
  source:
    'Made by scripts/world-map.ts from Natural Earth (public domain) and world-atlas (ISC, Michael Bostock).',
  width: WIDTH,
  height: HEIGHT,
  shapes: sorted(shapes),
  dots: sorted(dots),
}
writeFileSync(
  FILE,
  `${JSON.stringify(world, null, 2).replace(/\[\s+(\d+),\s+(\d+)\s+\]/g, '[$1, $2]')}\n`,
)
console.log(`${shapes.size} shapes and ${dots.size} dots, ${WIDTH} by ${HEIGHT}`)
