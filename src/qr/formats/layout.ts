import { fullSize, type Matrix, QUIET_ZONE } from '../symbol/matrix.ts'

/** Where a symbol sits in a square picture; all in pixels. */
export interface Layout {
  /** Edge of the picture */
  readonly size: number
  /** Edge of one module */
  readonly module: number
  /** First column and row of the symbol; at least the quiet zone's four modules */
  readonly start: number
}

/** The picture has too few pixels for the symbol. */
export class PictureTooSmall extends RangeError {
  override name = 'PictureTooSmall'

  /** @param smallest the least edge that works */
  constructor(size: number, smallest: number) {
    super(`${size} pixels aren’t enough for this QR code. It needs at least ${smallest}.`)
  }
}

/**
 * Places a symbol with the largest whole module that leaves a full quiet zone (ISO/IEC 18004:2024
 * §5.3.8).
 *
 * @param size edge of the picture, a positive whole number of pixels
 * @throws PictureTooSmall below one pixel a module; RangeError if the size is not a whole number
 */
export function layOut(matrix: Matrix, size: number): Layout {
  if (!Number.isInteger(size)) throw new RangeError(`${size} is not a whole number of pixels`)
  const modules = fullSize(matrix)
  if (size < modules) throw new PictureTooSmall(size, modules)
  const module = Math.floor(size / modules)
  const spare = size - modules * module
  return { size, module, start: QUIET_ZONE * module + Math.floor(spare / 2) }
}
