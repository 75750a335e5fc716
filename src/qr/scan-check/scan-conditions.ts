import type { Drawn } from '../artwork/scene.ts'
import type { Pixels } from '../formats/pixels.ts'
import type { Matrix } from '../symbol/matrix.ts'
import { blur } from './blur.ts'
import { inLowLight } from './low-light.ts'
import { drawModules } from './pixels.ts'
import type { ScanCondition } from './verdict.ts'

/** Pixels a module of a code that is far away: the fewest with which a decoder has a chance. */
const SMALL = 2
/** Pixels a module in the other conditions: enough to show their effects, few enough to be quick. */
const NEAR = 4
/**
 * Standard deviation of the blur in modules. A lens 2 mm wide and focused at 45 cm turns each point of
 * a code at 30 cm into a disc of 0.67 mm, whose standard deviation is a quarter of that: 0.3 modules
 * of a short link printed 20 mm wide.
 */
const BLUR = 0.3

/** A symbol as a camera sees it in each condition; the same pixels every time. */
export const seenIn = {
  small: (matrix, appearance) => drawModules(matrix, appearance, SMALL),
  blurred: (matrix, appearance) => blur(drawModules(matrix, appearance, NEAR), BLUR * NEAR),
  lowLight: (matrix, appearance) => inLowLight(drawModules(matrix, appearance, NEAR)),
} satisfies Record<Exclude<ScanCondition, 'asIs'>, (matrix: Matrix, appearance: Drawn) => Pixels>
