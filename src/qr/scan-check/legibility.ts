import type { Drawn } from '../artwork/scene.ts'
import type { Pixels } from '../formats/pixels.ts'
import { loadLetters } from '../lettering/text-figures.ts'
import { encode, symbolText } from '../symbol/encode.ts'
import type { Appearance, Design } from '../symbol/look.ts'
import type { Matrix } from '../symbol/matrix.ts'
import { damageMargin } from './damage.ts'
import { compareColours } from './light.ts'
import { draw } from './pixels.ts'
import { seenIn } from './scan-conditions.ts'
import { type Findings, type Legibility, type Reads, verdictOf } from './verdict.ts'

/** They answer the text, or null where they can read no QR code or find more than one. */
export interface Decoders {
  /** ZXing-C++; takes the bytes of a PNG or JPEG, or pixels */
  readonly zxing: (
    picture: Pixels | Uint8Array,
    options: { readonly tryInvert: boolean },
  ) => Promise<string | null>
  /** jsQR; never tries the negative */
  readonly jsqr: (picture: Pixels) => Promise<string | null>
}

/** What differs between server and browser. */
export interface ScanTools extends Decoders {
  /** The exact bytes of the file that the user downloads */
  readonly deliver: (format: 'png' | 'jpg') => Promise<Uint8Array>
}

/** jsQR misses codes with large modules: 'Gold' is read at 512 pixels and not at 1,024. */
const JSQR_SIZE = 512

/**
 * Whether a code can be scanned, how well, and why. The same code always gets the same answer, after
 * at most 18 readings.
 *
 * For an inverted code, `reads` is about decoders that do not try the negative, and the damage margin
 * about one that does.
 *
 * @throws NotAColour, TextTooLong as the engine does, and what `deliver` throws
 */
export async function checkLegibility(code: Design, tools: ScanTools): Promise<Legibility> {
  const findings = await examine(code, tools)
  const { negativeReads: _, ...shown } = findings
  return { ...verdictOf(findings), ...shown }
}

async function examine(code: Design, tools: ScanTools): Promise<Findings> {
  if (code.artwork?.frame) await loadLetters()
  const colours = weakest(code)
  const matrix = encode(code.text, code)
  const files = await Promise.all([tools.deliver('png'), tools.deliver('jpg')])
  const readers = readersOf(symbolText(code.text, code.compact), tools)
  const reads = await readsOf(matrix, code, files, readers)
  const negativeReads = colours.inverted && (await readers.zxing(files, true))
  const isRead = reads.asIs.zxing || negativeReads
  const stillReads = (pixels: Pixels) => readers.zxing([pixels], colours.inverted)
  const margin = isRead ? await damageMargin(matrix, code, stillReads) : 0
  return { ...colours, reads, negativeReads, damageMargin: margin }
}

/** The ink that differs least from its ground; inverted if any of them is. */
function weakest({ foreground, background, artwork }: Appearance) {
  const ground = artwork?.transparent ? PAPER : background
  const inks = [
    ...[foreground, artwork?.gradient?.to],
    ...[artwork?.eyeFrameColor, artwork?.eyeBallColor],
  ].filter((ink) => typeof ink === 'string')
  const compared = inks.map((ink) => compareColours(ink, ground))
  return {
    contrast: Math.min(...compared.map(({ contrast }) => contrast)),
    inverted: compared.some(({ inverted }) => inverted),
  }
}

const PAPER = '#ffffff'

/** Whether a decoder reads exactly this text, in every one of the pictures. */
interface Readers {
  zxing: (pictures: readonly (Pixels | Uint8Array)[], tryInvert?: boolean) => Promise<boolean>
  jsqr: (picture: Pixels) => Promise<boolean>
}

function readersOf(text: string, { zxing, jsqr }: ScanTools): Readers {
  return {
    async zxing(pictures, tryInvert = false) {
      const texts = await Promise.all(pictures.map((picture) => zxing(picture, { tryInvert })))
      return texts.every((read) => read === text)
    },
    jsqr: async (picture) => (await jsqr(picture)) === text,
  }
}

async function readsOf(
  matrix: Matrix,
  appearance: Drawn,
  files: readonly Uint8Array[],
  { zxing, jsqr }: Readers,
): Promise<Reads> {
  const reads = async (picture: Pixels) => ({
    zxing: await zxing([picture]),
    jsqr: await jsqr(picture),
  })
  return {
    asIs: { zxing: await zxing(files), jsqr: await jsqr(draw(matrix, appearance, JSQR_SIZE)) },
    small: await reads(seenIn('small', matrix, appearance)),
    blurred: await reads(seenIn('blurred', matrix, appearance)),
    lowLight: await reads(seenIn('lowLight', matrix, appearance)),
  }
}
