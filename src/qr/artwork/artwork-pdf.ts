import { concat, type Deflate } from '../formats/bytes.ts'
import { parseColour } from '../formats/colour.ts'
import { fill, number, PdfFile, POINTS_PER_MM, pathBy } from '../formats/pdf-syntax.ts'
import type { Pixels } from '../formats/pixels.ts'
import type { GradientPaint, Layer } from './layers.ts'
import type { Scene } from './scene.ts'

export interface ScenePdfOptions {
  /** Width of the page in millimetres */
  readonly printSize: number
  readonly deflate: Deflate
  readonly logo?: Pixels | undefined
}

/**
 * A scene as a PDF of one page that is just as large as the print: filled paths, no font, no picture
 * but the logo. Clauses are those of ISO 32000-1.
 *
 * @throws NotAColour where a colour is not hexadecimal
 */
export async function scenePdf(
  scene: Scene,
  { printSize, deflate, logo }: ScenePdfOptions,
): Promise<Uint8Array> {
  const scale = (printSize * POINTS_PER_MM) / scene.width
  const size = `${number(scale * scene.width)} ${number(scale * scene.height)}`
  const file = new PdfFile()
  const [root, pages, page, drawing] = [1, 2, 3, 4].map(() => file.reserve()) as Numbers
  const picture =
    scene.logo && logo ? { pixels: logo, at: file.reserve(), alpha: file.reserve() } : undefined
  const gradient = scene.layers.find(({ paint }) => paint.gradient)?.paint
  const shading = gradient?.gradient && shadingOf(gradient.colour, gradient.gradient)
  const resources = [
    shading ? `/Shading<</Ink ${shading}>>` : '',
    picture ? `/XObject<</Logo ${picture.at} 0 R>>` : '',
  ].join('')
  const content = await deflate(new TextEncoder().encode(sceneContent(scene, scale, logo)))
  return concat([
    ...file.begin(),
    ...file.object(root, `<</Type/Catalog/Pages ${pages} 0 R>>`),
    ...file.object(pages, `<</Type/Pages/Kids[${page} 0 R]/Count 1>>`),
    ...file.object(
      page,
      `<</Type/Page/Parent ${pages} 0 R/MediaBox[0 0 ${size}]/Resources<<${resources}>>/Contents ${drawing} 0 R>>`,
    ),
    ...file.stream(drawing, '', content),
    ...(picture ? await imageObjects(file, picture, deflate) : []),
    ...file.end(root),
  ])
}

type Numbers = [number, number, number, number]

/** §8.3.4: one unit is a module, and y runs down as in the scene. */
function sceneContent(scene: Scene, scale: number, logo: Pixels | undefined): string {
  const top = number(scale * scene.height)
  return [
    `${number(scale)} 0 0 ${number(-scale)} 0 ${top} cm`,
    ...scene.layers.map(layerContent),
    scene.logo && logo ? imageContent(scene.logo, logo) : '',
  ].join('\n')
}

/** §8.5.4: a gradient is painted through its figures as a clipping path. */
function layerContent({ paint, figures }: Layer): string {
  const paths = figures.map(pathBy).join('\n')
  return paint.gradient ? `q\n${paths}\nW n\n/Ink sh\nQ` : `${fill(paint.colour)}\n${paths}\nf`
}

/** §8.7.4.5: between two colours (a function of type 2), and as they are beyond both ends. */
function shadingOf(colour: string, gradient: GradientPaint): string {
  const [from, to] = [colour, gradient.to].map((text) =>
    parseColour(text)
      .map((channel) => number(channel / 255))
      .join(' '),
  )
  const place =
    gradient.kind === 'linear'
      ? [gradient.x1, gradient.y1, gradient.x2, gradient.y2]
      : [gradient.x, gradient.y, 0, gradient.x, gradient.y, gradient.radius]
  const type = gradient.kind === 'linear' ? 2 : 3
  const steps = `/Function<</FunctionType 2/Domain[0 1]/C0[${from}]/C1[${to}]/N 1>>`
  return `<</ShadingType ${type}/ColorSpace/DeviceRGB/Coords[${place.map(number).join(' ')}]${steps}/Extend[true true]>>`
}

/** §8.9.5: a picture fills the unit square, and its first row is the uppermost. */
function imageContent(
  box: { x: number; y: number; width: number; height: number },
  logo: Pixels,
): string {
  const scale = Math.min(box.width / logo.width, box.height / logo.height)
  const [width, height] = [scale * logo.width, scale * logo.height]
  const left = box.x + (box.width - width) / 2
  const bottom = box.y + (box.height + height) / 2
  return `q ${number(width)} 0 0 ${number(-height)} ${number(left)} ${number(bottom)} cm /Logo Do Q`
}

/** §8.9.5 and §11.6.5.3: the colours, and how opaque each pixel is. */
async function imageObjects(
  file: PdfFile,
  { pixels, at, alpha }: { pixels: Pixels; at: number; alpha: number },
  deflate: Deflate,
): Promise<Uint8Array[]> {
  const { width, height, data } = pixels
  const colours = new Uint8Array(3 * width * height)
  const alphas = new Uint8Array(width * height)
  for (let pixel = 0; pixel < alphas.length; pixel++) {
    colours.set(data.subarray(4 * pixel, 4 * pixel + 3), 3 * pixel)
    alphas[pixel] = data[4 * pixel + 3] as number
  }
  const common = `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/BitsPerComponent 8`
  return [
    ...file.stream(at, `${common}/ColorSpace/DeviceRGB/SMask ${alpha} 0 R`, await deflate(colours)),
    ...file.stream(alpha, `${common}/ColorSpace/DeviceGray`, await deflate(alphas)),
  ]
}
