import { drawnPath } from '../formats/svg.ts'
import { normalColour } from '../symbol/look.ts'
import type { Layer, LayerName } from './layers.ts'
import type { Scene } from './scene.ts'

export interface SceneSvgOptions {
  /** Width of the picture in CSS pixels, unless a size in print is given */
  readonly size: number
  /** Width in print in millimetres */
  readonly printSize?: number | undefined
  /** The logo's picture as a data: address */
  readonly logo?: string | undefined
}

/** Layers that are a group together. */
const groups: { id: string; layers: readonly LayerName[] }[] = [
  { id: 'frame', layers: ['frame', 'ground', 'text'] },
  { id: 'code', layers: ['modules', 'rings', 'balls'] },
  { id: 'logo', layers: ['plate'] },
]

const GRADIENT = 'ink'
/** SVG 1.1, §5.7: Illustrator and older readers know no other address of a picture. */
const XLINK = ' xmlns:xlink="http://www.w3.org/1999/xlink"'

/**
 * A scene as an SVG document: a group for frame, code and logo, one path a layer in module units. It
 * has no clip, mask, style sheet or script, and no raster picture but the logo. SVG 1.1, §8.3 and §13.
 *
 * @throws NotAColour if a color is not hexadecimal: nothing else reaches the markup
 */
export function sceneSvg(scene: Scene, { size, printSize, logo }: SceneSvgOptions): string {
  const { width, height } = scene
  const tall = (edge: number) => Number(((edge * height) / width).toFixed(3))
  const [wide, high] =
    printSize === undefined
      ? [String(size), String(tall(size))]
      : [`${printSize}mm`, `${tall(printSize)}mm`]
  const byName = new Map(scene.layers.map((layer) => [layer.name, layer]))
  const background = byName.get('background')
  const image = imageOf(scene, logo)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg"${image && XLINK} width="${wide}" height="${high}" viewBox="0 0 ${width} ${height}">`,
    gradientOf(scene),
    background ? path(background) : '',
    ...groups.map(({ id, layers }) => {
      const paths = layers.map((name) => byName.get(name)).filter((layer) => layer !== undefined)
      const drawn = paths.map(path).join('')
      const content = id === 'logo' ? drawn + image : drawn
      return content && `<g id="${id}">${content}</g>`
    }),
    '</svg>\n',
  ].join('')
}

/** An id is in a document once: the layers of the frame's group have longer ones. */
const ids: Partial<Record<LayerName, string>> = {
  frame: 'frame-shape',
  ground: 'frame-ground',
  text: 'frame-text',
}

function path({ name, paint, figures }: Layer): string {
  const fill = paint.gradient ? `url(#${GRADIENT})` : normalColour(paint.colour)
  return `<path id="${ids[name] ?? name}" fill="${fill}" d="${drawnPath(figures, 0, 0)}"/>`
}

function gradientOf({ layers }: Scene): string {
  const paint = layers.find((layer) => layer.paint.gradient)?.paint
  if (!paint?.gradient) return ''
  const { gradient } = paint
  const stops = [paint.colour, gradient.to]
    .map((colour, index) => `<stop offset="${index}" stop-color="${normalColour(colour)}"/>`)
    .join('')
  const common = `id="${GRADIENT}" gradientUnits="userSpaceOnUse"`
  const drawn =
    gradient.kind === 'linear'
      ? `<linearGradient ${common} ${numbers({ x1: gradient.x1, y1: gradient.y1, x2: gradient.x2, y2: gradient.y2 })}>${stops}</linearGradient>`
      : `<radialGradient ${common} ${numbers({ cx: gradient.x, cy: gradient.y, r: gradient.radius })}>${stops}</radialGradient>`
  return `<defs>${drawn}</defs>`
}

function imageOf({ logo }: Scene, address: string | undefined): string {
  if (!logo || address === undefined) return ''
  const { x, y, width, height } = logo
  return `<image ${numbers({ x, y, width, height })} xlink:href="${address}"/>`
}

const numbers = (values: Record<string, number>) =>
  Object.entries(values)
    .map(([name, value]) => `${name}="${Number(value.toFixed(3))}"`)
    .join(' ')
