import type { Artwork, EyeShape, ModuleShape } from '../artwork/artwork.ts'
import type { Drawn } from '../artwork/scene.ts'
import { loadLetters } from '../artwork/text-figures.ts'
import { parseColour } from '../formats/colour.ts'
import type { Pixels } from '../formats/pixels.ts'
import { encode } from '../symbol/encode.ts'
import { type Appearance, type Design, symbolText } from '../symbol/look.ts'
import type { Matrix } from '../symbol/matrix.ts'
import { damageMargin } from './damage.ts'
import { compareColours, relativeLuminance } from './light.ts'
import { draw, drawFilling, placeOf } from './pixels.ts'
import { seenIn } from './scan-conditions.ts'
import {
  type Blamed,
  type Findings,
  type Legibility,
  type Loss,
  lossOf,
  type Reads,
  verdictOf,
  type WeakInk,
} from './verdict.ts'

/** Each returns the text, or null if it reads no QR code or finds several. */
export interface Decoders {
  /** ZXing-C++; takes the bytes of a PNG or JPEG, or pixels */
  readonly zxing: (
    picture: Pixels | Uint8Array,
    options: { readonly tryInvert: boolean },
  ) => Promise<string | null>
  /** jsQR; never tries the negative */
  readonly jsqr: (picture: Pixels) => Promise<string | null>
}

/** The tools that differ between server and browser. */
export interface ScanTools extends Decoders {
  /** The exact bytes of the file that the user downloads */
  readonly deliver: (format: 'png' | 'jpg') => Promise<Uint8Array>
}

/** jsQR misses codes with large modules: 'Gold' is read at 512 pixels and not at 1,024. */
const JSQR_SIZE = 512
/** The size of files as users download them. */
const FILE_SIZE = 1024

/**
 * Whether a code can be scanned, how well, and why. The same code always gets the same answer, after
 * at most 26 readings: two files, three negatives, up to eight in the four conditions, seven of the
 * damage, and up to six that look for the part to blame.
 *
 * For an inverted code, `reads` is about decoders that do not try the negative, and the damage margin
 * about one that does.
 *
 * @throws NotAColour, TextTooLong as the engine does, and what `deliver` throws
 */
export async function checkLegibility(code: Design, tools: ScanTools): Promise<Legibility> {
  const found = await examine(code, tools)
  const { contrast, inverted, reads, damageMargin: margin } = found
  return { ...verdictOf(found), contrast, inverted, reads, damageMargin: margin }
}

async function examine(code: Design, tools: ScanTools): Promise<Findings> {
  if (code.artwork?.frame) await loadLetters()
  const colours = weakest(code)
  const matrix = encode(code.text, code)
  const [png, jpg] = await Promise.all([tools.deliver('png'), tools.deliver('jpg')])
  const readers = readersOf(symbolText(code.text, code.compact), tools)
  const files = { png: await readers.zxing(png), jpg: await readers.zxing(jpg) }
  const reads = await readsOf(matrix, code, files.png && files.jpg, readers)
  const negativeReads =
    colours.inverted &&
    ((await readers.zxing(png, true)) ||
      (await readers.zxing(jpg, true)) ||
      (await readers.zxing(drawFilling(matrix, code, FILE_SIZE), true)))
  const isRead = reads.asIs.zxing || negativeReads
  const stillReads = (pixels: Pixels) => readers.zxing(pixels, colours.inverted)
  const margin = isRead ? await damageMargin(matrix, code, stillReads) : 0
  const loss = lossOf({ ...colours, reads })
  return {
    ...colours,
    reads,
    files,
    negativeReads,
    damageMargin: margin,
    blamed: loss && (await whatIsToBlame(matrix, code, loss, readers)),
    hasLogo: Boolean(code.artwork?.logo),
    transparent: Boolean(code.artwork?.transparent),
  }
}

/** The ink that differs least from its ground; where one is inverted, of those that are. */
function weakest({ foreground, background, artwork }: Appearance) {
  const ground = artwork?.transparent ? PAPER : background
  const inks: [WeakInk, string | null | undefined][] = [
    ['foreground', foreground],
    ['gradient', artwork?.gradient?.to],
    ['eyes', artwork?.eyeFrameColor],
    ['eyes', artwork?.eyeBallColor],
  ]
  const compared = inks.flatMap(([weakInk, ink]) =>
    typeof ink === 'string' ? [{ weakInk, ...compareColours(ink, ground) }] : [],
  )
  const inverted = compared.filter((ink) => ink.inverted)
  const doubtful = inverted.length > 0 ? inverted : compared
  // The first of equals: the foreground, if it is one of them.
  const weak = doubtful.reduce((least, ink) => (ink.contrast < least.contrast ? ink : least))
  return {
    // If the foreground itself is inverted, so is the whole code.
    weakInk: compared[0]?.inverted ? ('foreground' as const) : weak.weakInk,
    contrast: Math.min(...compared.map(({ contrast }) => contrast)),
    inverted: inverted.length > 0,
    ground: relativeLuminance(parseColour(ground)),
  }
}

const PAPER = '#ffffff'

/** Whether a decoder reads exactly this text in a picture. */
interface Readers {
  zxing: (picture: Pixels | Uint8Array, tryInvert?: boolean) => Promise<boolean>
  jsqr: (picture: Pixels) => Promise<boolean>
}

function readersOf(text: string, { zxing, jsqr }: ScanTools): Readers {
  return {
    zxing: async (picture, tryInvert = false) => (await zxing(picture, { tryInvert })) === text,
    jsqr: async (picture) => (await jsqr(picture)) === text,
  }
}

async function readsOf(
  matrix: Matrix,
  appearance: Drawn,
  filesRead: boolean,
  { zxing, jsqr }: Readers,
): Promise<Reads> {
  const reads = async (picture: Pixels) => ({
    zxing: await zxing(picture),
    jsqr: await jsqr(picture),
  })
  return {
    asIs: { zxing: filesRead, jsqr: await allRead(asIs(matrix, appearance), jsqr) },
    small: await reads(seenIn.small(matrix, appearance)),
    blurred: await reads(seenIn.blurred(matrix, appearance)),
    lowLight: await reads(seenIn.lowLight(matrix, appearance)),
  }
}

/**
 * The picture as a PNG has it, and, where the eyes are of other shapes, as an SVG fills the same size:
 * without whole pixels for each module. jsQR compares an eye's ball with its ring and is close to
 * missing some of them.
 */
function asIs(matrix: Matrix, appearance: Drawn): Pixels[] {
  const sharp = draw(matrix, appearance, JSQR_SIZE)
  const { eyeFrame = null, eyeBall = null } = appearance.artwork ?? {}
  if (isPlain(eyeFrame) && isPlain(eyeBall)) return [sharp]
  return [sharp, drawFilling(matrix, appearance, JSQR_SIZE)]
}

async function allRead(pictures: Pixels[], reads: (picture: Pixels) => Promise<boolean>) {
  for (const picture of pictures) if (!(await reads(picture))) return false
  return true
}

/** Leaves out one part of the artwork after the other, until the lost reading succeeds. */
async function whatIsToBlame(
  matrix: Matrix,
  appearance: Drawn,
  { condition, decoder }: Loss,
  readers: Readers,
): Promise<Blamed | null> {
  for (const { part, without } of suspects(appearance)) {
    const plainer = { ...appearance, artwork: without }
    const pictures =
      condition === 'asIs' ? asIs(matrix, plainer) : [seenIn[condition](matrix, plainer)]
    if (await allRead(pictures, readers[decoder])) return part
  }
  return null
}

/** The parts that are not as simple as they can be, each with the artwork that has it simple. */
function suspects({ artwork }: Drawn): { part: Blamed; without: Artwork }[] {
  if (!artwork) return []
  const { modules, eyeFrame, eyeBall, logo } = artwork
  const simpler: [Blamed, boolean, Partial<Artwork>][] = [
    ['eyes', isPlain(eyeFrame) && isPlain(eyeBall), { eyeFrame: 'square', eyeBall: 'square' }],
    ['modules', isPlain(modules), { modules: 'square' }],
    ['logo', logo === null, { logo: null }],
  ]
  return simpler
    .filter(([, isSimple]) => !isSimple)
    .map(([part, , simple]) => ({ part, without: { ...artwork, ...simple } }))
}

/** Whether a shape is one of the styles' own, which are never to blame. */
const isPlain = (shape: ModuleShape | EyeShape | null) => shape === null || shape === 'square'

/**
 * Whether a scanner reads a design's own text in a picture that fits a square of about `size` pixels,
 * such as those of its label in print.
 * @throws NotAColour, TextTooLong as the engine does
 */
export async function readsBack(
  design: Design,
  size: number,
  { zxing }: Pick<Decoders, 'zxing'>,
): Promise<boolean> {
  if (design.artwork?.frame) await loadLetters()
  const matrix = encode(design.text, design)
  const { inverted } = compareColours(design.foreground, design.background)
  const { width, height } = placeOf(matrix, design)
  // A picture that is higher than wide is narrower than the square that it is printed in.
  const wide = (size * width) / Math.max(width, height)
  const picture = draw(matrix, design, Math.max(width, Math.round(wide)))
  return (await zxing(picture, { tryInvert: inverted })) === symbolText(design.text, design.compact)
}
