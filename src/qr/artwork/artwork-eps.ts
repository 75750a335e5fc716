import { deviceSpaces, type InkSpace, inkOf, parseColour } from '../formats/colour.ts'
import { hexOf, latin1, number, POINTS_PER_MM, pathBy, shadingOf } from '../formats/pdf-syntax.ts'
import type { Pixels } from '../formats/pixels.ts'
import type { ScenePdfOptions } from './artwork-pdf.ts'
import type { Layer } from './layers.ts'
import { inkBytes, logoMatrix } from './logo-image.ts'
import type { Scene } from './scene.ts'

export interface EpsOptions extends ScenePdfOptions {
  /** The color behind a logo's transparent pixels: PostScript has no transparency */
  readonly background: string
}

/** Short names for the operators, the same as PDF's. */
const NAMES =
  '/m/moveto load def/l/lineto load def/c/curveto load def/h/closepath load def/f/fill load def'

/**
 * A scene as Encapsulated PostScript, language level 3: filled paths, no font, no picture but the logo,
 * 7-bit text. Comments are those of Adobe's Document Structuring Conventions 3.0 and EPSF 3.0.
 *
 * @throws NotAColour if a color is not hexadecimal
 */
export async function sceneEps(scene: Scene, options: EpsOptions): Promise<Uint8Array> {
  const { printSize, space = 'rgb', logo } = options
  const scale = (printSize * POINTS_PER_MM) / scene.width
  const [width, height] = [scale * scene.width, scale * scene.height]
  return latin1(
    [
      '%!PS-Adobe-3.0 EPSF-3.0',
      `%%BoundingBox: 0 0 ${Math.ceil(width)} ${Math.ceil(height)}`,
      `%%HiResBoundingBox: 0 0 ${number(width)} ${number(height)}`,
      '%%LanguageLevel: 3',
      '%%DocumentData: Clean7Bit',
      '%%EndComments',
      // Nothing that is defined here stays where the picture is placed.
      '8 dict begin gsave',
      NAMES,
      // One unit is a module, and y runs down as in the scene.
      `[${[scale, 0, 0, -scale, 0, height].map(number).join(' ')}] concat`,
      ...scene.layers.map((layer) => layerProgram(layer, space)),
      ...(scene.logo && logo ? [await imageProgram(scene.logo, logo, options)] : []),
      'grestore end',
      '%%EOF\n',
    ].join('\n'),
  )
}

function layerProgram({ paint: { colour, gradient }, figures }: Layer, space: InkSpace): string {
  const paths = figures.map(pathBy).join('\n')
  if (!gradient) {
    const set = space === 'rgb' ? 'setrgbcolor' : 'setcmykcolor'
    return `${inkOf(colour, space).map(number).join(' ')} ${set}\n${paths}\nf`
  }
  return `gsave\n${paths}\nclip newpath\n${shadingOf(colour, gradient, space)} shfill\ngrestore`
}

/** PostScript Language Reference, third edition, §4.10.5: a dictionary, and then the data. */
async function imageProgram(
  box: { x: number; y: number; width: number; height: number },
  logo: Pixels,
  { deflate, background, space = 'rgb' }: EpsOptions,
): Promise<string> {
  const { width, height } = logo
  const data = await deflate(inkBytes(onGround(logo, background), space))
  const decode = `[${space === 'rgb' ? '0 1 0 1 0 1' : '0 1 0 1 0 1 0 1'}]`
  return [
    `gsave [${logoMatrix(box, logo).map(number).join(' ')}] concat`,
    `/${deviceSpaces[space]} setcolorspace`,
    `<</ImageType 1/Width ${width}/Height ${height}/BitsPerComponent 8/Decode${decode}`,
    `/ImageMatrix[${width} 0 0 ${-height} 0 ${height}]`,
    '/DataSource currentfile/ASCIIHexDecode filter/FlateDecode filter>> image',
    `${hexLines(data)}>`,
    'grestore',
  ].join('\n')
}

/** The logo on a flat color. */
function onGround({ width, height, data }: Pixels, background: string): Pixels {
  const ground = parseColour(background)
  const opaque = data.map((value, at) => {
    const alpha = (data[at | 3] as number) / 255
    return (at & 3) === 3 ? 255 : value * alpha + (ground[at & 3] as number) * (1 - alpha)
  })
  return { width, height, data: opaque }
}

/** Bytes in a line: programs may not take lines of more than 255 characters. */
const LINE_BYTES = 64

function hexLines(bytes: Uint8Array): string {
  const lines: string[] = []
  for (let at = 0; at < bytes.length; at += LINE_BYTES) {
    lines.push(hexOf(bytes.subarray(at, at + LINE_BYTES)))
  }
  return lines.join('\n')
}
