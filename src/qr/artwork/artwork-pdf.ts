import type { Deflate } from '../formats/bytes.ts'
import type { InkSpace } from '../formats/colour.ts'
import {
  fill,
  number,
  onePage,
  PdfFile,
  POINTS_PER_MM,
  pathBy,
  shadingOf,
} from '../formats/pdf-syntax.ts'
import type { Pixels } from '../formats/pixels.ts'
import type { Layer } from './layers.ts'
import { type LogoImage, logoImage, logoMatrix, logoObjects } from './logo-image.ts'
import type { Scene } from './scene.ts'

export interface ScenePdfOptions {
  /** Width of the picture in millimetres */
  readonly printSize: number
  readonly deflate: Deflate
  readonly logo?: Pixels | undefined
  /** RGB if absent */
  readonly space?: InkSpace | undefined
}

/**
 * A scene as a PDF of one page that is just as large as the print: filled paths, no font, no picture
 * but the logo. Clauses are those of ISO 32000-1.
 *
 * @throws NotAColour if a color is not hexadecimal
 */
export async function scenePdf(scene: Scene, options: ScenePdfOptions): Promise<Uint8Array> {
  const { printSize, deflate, logo, space = 'rgb' } = options
  const file = new PdfFile()
  const image = scene.logo && logo ? await logoImage(logo, space, deflate) : undefined
  const imageAt = image && file.reserve()
  const form = sceneForm(scene, { width: printSize * POINTS_PER_MM, space, logo: image })
  return onePage(file, {
    size: form.size,
    resources: resourcesOf(form, imageAt),
    drawing: await deflate(new TextEncoder().encode(form.content)),
    more: () => (image && imageAt ? logoObjects(file, imageAt, image) : []),
  })
}

/** A scene's operators, what they need, and how large it is: width and height in points. */
export interface SceneForm {
  readonly content: string
  readonly shading: string | undefined
  readonly size: string
}

type FormOptions = {
  /** In points */
  readonly width: number
  readonly space: InkSpace
  readonly logo: Pick<LogoImage, 'width' | 'height'> | undefined
}

/** The operators that draw a scene from the origin to the right and up. */
export function sceneForm(scene: Scene, { width, space, logo }: FormOptions): SceneForm {
  const scale = width / scene.width
  const top = number(scale * scene.height)
  const paint = scene.layers.find((layer) => layer.paint.gradient)?.paint
  const place = scene.logo && logo && logoMatrix(scene.logo, logo)
  return {
    content: [
      // §8.3.4: one unit is a module, and y runs down as in the scene.
      `${number(scale)} 0 0 ${number(-scale)} 0 ${top} cm`,
      ...scene.layers.map((layer) => layerContent(layer, space)),
      place ? `q ${place.map(number).join(' ')} cm /Logo Do Q` : '',
    ].join('\n'),
    shading: paint?.gradient && shadingOf(paint.colour, paint.gradient, space),
    size: `${number(width)} ${top}`,
  }
}

/** §7.8.3: what the operators name. */
export function resourcesOf({ shading }: Pick<SceneForm, 'shading'>, logo?: number): string {
  const shadings = shading ? `/Shading<</Ink ${shading}>>` : ''
  return `<<${shadings}${logo ? `/XObject<</Logo ${logo} 0 R>>` : ''}>>`
}

/** §8.5.4: a gradient is painted through its figures as a clipping path. */
function layerContent({ paint, figures }: Layer, space: InkSpace): string {
  const paths = figures.map(pathBy).join('\n')
  if (paint.gradient) return `q\n${paths}\nW n\n/Ink sh\nQ`
  return `${fill(paint.colour, space)}\n${paths}\nf`
}
