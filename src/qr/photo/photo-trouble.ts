import type { Pixels } from '../formats/pixels.ts'
import { type Block, blocksOf, type Grey, greyOf, MEASURED_MIN, quantile } from './brightness.ts'
import { edgesOf, type Finder, findersIn, runsAlong } from './finders.ts'
import type { PrintTrouble } from './troubles.ts'

/*
 * Why nothing can be read in a photo of a printed code, from its pixels. The bounds were set by pictures
 * that photo-trouble.test.ts makes: darkened, blurred, covered and cut off.
 */

/**
 * The first of these that stands out. Darkness comes first, because in the dark a camera blurs, and
 * what is cut off before what is blurred, because it helps more to know.
 *
 * @param photo about 800 pixels across: what is measured in pixels is measured at this size
 */
export function troubleIn(photo: Pixels): PrintTrouble {
  if (Math.min(photo.width, photo.height) < MEASURED_MIN) return 'no-code'
  const grey = greyOf(photo)
  const [dark, light] = [quantile(grey, 0.01), quantile(grey, 0.99)]
  if (light < DARK_LIGHT || (light - dark < FAINT && light < FAINT_LIGHT)) return 'dark'
  const finders = findersIn(grey)
  if (isCutOff(grey, finders)) return 'cut-off'
  const blocks = blocksOf(grey, BLOCK)
  const lively = blocks.filter(({ range }) => range > LIVELY * (light - dark))
  if (arePaired(finders) && hasGlare(blocks, lively)) return 'glare'
  if (light - dark >= FAINT && isBlurred(lively)) return 'blurred'
  return arePaired(finders) ? 'unclear' : 'no-code'
}

/** The lightest of a photo in which the paper itself is dark. */
const DARK_LIGHT = 90
/** A photo with less between its darkest and lightest has hardly anything in it. */
const FAINT = 40
const FAINT_LIGHT = 130

/** In pixels: a few modules of a code that fills the photo. */
const BLOCK = 16
/** A share of the photo's range of greys: with less a block has no edge in it. */
const LIVELY = 0.35

/** An edge takes one or two pixels in a sharp photo; here it takes five or more. */
const SOFT_STEP = 0.22
/** This share of the blocks with the sharpest edges is looked at: what is behind the print may be soft. */
const SHARPEST = 0.25

function isBlurred(lively: readonly Block[]): boolean {
  const steepest = lively.map(({ step, range }) => step / range).sort((one, other) => other - one)
  const seen = steepest[Math.floor(SHARPEST * steepest.length)]
  return seen === undefined || seen < SOFT_STEP
}

/** A finder pattern may be chance; two of about one size are a code's. */
const arePaired = (finders: readonly Finder[]) =>
  finders.some(({ module }, index) =>
    finders
      .slice(index + 1)
      .some((other) => module < 1.6 * other.module && other.module < 1.6 * module),
  )

/** As light as a camera's sensor can tell, all over a block. */
const BLOWN_OUT = 250
/** A glare blows out this share of the blocks that have modules on both sides. */
const GLARE = 0.06

/**
 * Whether light is thrown back from within the code: white where modules should be, with modules left and
 * right or above and below.
 */
function hasGlare(blocks: readonly Block[], lively: readonly Block[]): boolean {
  const rows = spans(lively, 'y', 'x')
  const columns = spans(lively, 'x', 'y')
  const within = blocks.filter(
    ({ x, y }) => isWithin(rows.get(y), x) && isWithin(columns.get(x), y),
  )
  const white = within.filter(({ darkest }) => darkest >= BLOWN_OUT)
  return white.length >= 4 && white.length > GLARE * within.length
}

/** From where to where blocks are, in each row or column. */
function spans(blocks: readonly Block[], line: 'x' | 'y', along: 'x' | 'y') {
  const found = new Map<number, { from: number; to: number }>()
  for (const block of blocks) {
    const span = found.get(block[line]) ?? { from: block[along], to: block[along] }
    span.from = Math.min(span.from, block[along])
    span.to = Math.max(span.to, block[along])
    found.set(block[line], span)
  }
  return found
}

const isWithin = (span: { from: number; to: number } | undefined, at: number) =>
  span !== undefined && at >= span.from && at <= span.to

/** Eight stripes as wide as modules in a row do not happen by chance. */
const STRIPES_AT_EDGE = 8

/** Whether the modules of a code whose finder patterns are seen go on beyond an edge of the photo. */
function isCutOff(grey: Grey, finders: readonly Finder[]): boolean {
  const edges = edgesOf(grey).map(runsAlong)
  return finders.some(({ module }) =>
    edges.some((runs) => {
      let stripes = 0
      return runs.some(({ length }) => {
        stripes = length > 0.4 * module && length < 5 * module ? stripes + 1 : 0
        return stripes >= STRIPES_AT_EDGE
      })
    }),
  )
}
