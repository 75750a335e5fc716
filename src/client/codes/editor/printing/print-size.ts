import { IMAGE_SIZE, PRINT_SIZE } from '#contract/pictures/pictures.ts'
import { formatNumber } from '../../../formats.ts'

/** The field's value: a number, or text that is not one yet. */
export type TypedSize = number | string

/** The printed edge in millimetres; undefined while the field holds no valid size. */
export function printSizeOf(typed: TypedSize): number | undefined {
  if (typed === '') return undefined
  const size = Number(typed)
  return size >= PRINT_SIZE.min && size <= PRINT_SIZE.max ? size : undefined
}

/** A picture's width in pixels; undefined while the field holds no valid width. */
export function pixelsOf(typed: TypedSize): number | undefined {
  const size = typed === '' ? Number.NaN : Number(typed)
  const isWidth = Number.isInteger(size) && size >= IMAGE_SIZE.min && size <= IMAGE_SIZE.max
  return isWidth ? size : undefined
}

/** A rule of thumb of printers: phones read a code from about ten times its edge. */
const DISTANCE_PER_EDGE = 10

const MM_PER_INCH = 25.4
const MM_PER_M = 1_000
const MM_PER_FOOT = 304.8

/** A printed edge in inches: "1.97 in". */
export const inchesOf = (mm: number) => `${formatNumber(mm / MM_PER_INCH, 2)} in`

/** The distance from which a code with this printed edge can be scanned: "50 cm (20 in)". */
export function distanceOf(mm: number): string {
  const distance = mm * DISTANCE_PER_EDGE
  if (distance < MM_PER_M) {
    return `${formatNumber(distance / 10, 0)} cm (${formatNumber(distance / MM_PER_INCH, 0)} in)`
  }
  return `${formatNumber(distance / MM_PER_M, 1)} m (${formatNumber(distance / MM_PER_FOOT, 0)} ft)`
}

/** A print size in words, for the size's field. */
export const printSizeText = (mm: number) =>
  `${formatNumber(mm, 1)} mm (${inchesOf(mm)}) can be scanned from up to about ${distanceOf(mm)} away.`
