import { IMAGE_SIZE, PRINT_SIZE } from '#contract/pictures/pictures.ts'
import {
  formatNumber,
  INCH,
  inUnit,
  type LengthUnit,
  lengthText,
  lengthUnit,
} from '../../../formats.ts'

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

const MM_PER_M = 1_000
const MM_PER_FOOT = 304.8
/** A distance below it is in inches. */
const FEET_FROM = 3 * MM_PER_FOOT

/** The distance from which a code with this printed edge can be scanned: "50 cm", "20 in", "3 m", "10 ft". */
function distanceOf(mm: number, unit: LengthUnit): string {
  const distance = mm * DISTANCE_PER_EDGE
  if (unit === INCH) {
    return distance < FEET_FROM
      ? `${formatNumber(inUnit(distance, INCH), 0)} in`
      : `${formatNumber(distance / MM_PER_FOOT, 0)} ft`
  }
  return distance < MM_PER_M
    ? `${formatNumber(distance / 10, 0)} cm`
    : `${formatNumber(distance / MM_PER_M, 1)} m`
}

/** A print size in words, for the size's field. */
export const printSizeText = (mm: number, unit = lengthUnit()) =>
  `${lengthText(mm, unit)} can be scanned from up to about ${distanceOf(mm, unit)} away.`
