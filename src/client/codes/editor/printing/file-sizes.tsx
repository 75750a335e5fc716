import { Box, NumberInput, type NumberInputProps } from '@mantine/core'
import { useState } from 'react'
import { IMAGE_SIZE, PRINT_SIZE } from '#contract/pictures/pictures.ts'
import {
  formatCount,
  formatNumber,
  INCH,
  inReadersUnit,
  inUnit,
  type LengthUnit,
  lengthText,
  lengthUnit,
} from '../../../formats.ts'
import { LengthInput } from '../../length-input.tsx'
import styles from '../code-form.module.css'

/** The sizes that files are downloaded in. They are not saved with the code. */
export function useFileSizes() {
  const [print, setPrint] = useState<number>(PRINT_SIZE.default)
  const [pixels, setPixels] = useState<TypedSize>(IMAGE_SIZE.default)
  return {
    print,
    setPrint,
    pixels,
    setPixels,
    query: queryOf(printSizeOf(print), pixelsOf(pixels)),
  }
}
export type FileSizes = ReturnType<typeof useFileSizes>

/** As the addresses of files have them; undefined while one of them is not valid. */
function queryOf(printSize: number | undefined, pixels: number | undefined) {
  if (printSize === undefined || pixels === undefined) return undefined
  // The default has the addresses that it always had, and browsers keep what they say.
  const size = pixels === IMAGE_SIZE.default ? undefined : { size: String(pixels) }
  return { mm: String(printSize), ...size }
}

const BOUNDS = `From ${PRINT_SIZE.min} to ${PRINT_SIZE.max} mm`
const STEP_MM = 5
const PIXEL_BOUNDS = `A whole number from ${IMAGE_SIZE.min} to ${formatCount(IMAGE_SIZE.max)}`
const STEP_PIXELS = 64

export function SizeFields({ print, setPrint, pixels, setPixels }: FileSizes) {
  const size = printSizeOf(print)
  return (
    <div>
      <LengthInput
        {...look}
        label="Print size"
        description={
          <>
            The width of the printed code, border included. It applies to every file.
            {size !== undefined && (
              <Box component="span" display="block" mt={2}>
                {printSizeText(size)}
              </Box>
            )}
          </>
        }
        error={size === undefined && inReadersUnit(BOUNDS)}
        min={PRINT_SIZE.min}
        max={PRINT_SIZE.max}
        step={STEP_MM}
        value={print}
        onChange={setPrint}
      />
      <NumberInput
        {...look}
        clampBehavior="none"
        allowNegative={false}
        label="Pixels"
        description="The width of PNG, JPG, and WebP files."
        error={pixelsOf(pixels) === undefined && PIXEL_BOUNDS}
        min={IMAGE_SIZE.min}
        max={IMAGE_SIZE.max}
        allowDecimal={false}
        step={STEP_PIXELS}
        value={pixels}
        onChange={setPixels}
      />
    </div>
  )
}

/** A size out of bounds shows an error and is never corrected. The downloads wait for a valid one. */
const look = {
  classNames: { root: styles.size },
  inputWrapperOrder: ['label', 'input', 'error', 'description'],
  // Enter would save and close the form, but this field is not saved with it.
  onKeyDown: (event) => event.key === 'Enter' && event.preventDefault(),
} satisfies NumberInputProps

/** The field's value: a number, or text that is not one yet. */
type TypedSize = number | string

/** The printed edge in millimetres; undefined while the field holds no valid size. */
export const printSizeOf = (typed: TypedSize) => within(typed, PRINT_SIZE)

/** A picture's width in pixels; undefined while the field holds no valid width. */
export function pixelsOf(typed: TypedSize): number | undefined {
  const size = within(typed, IMAGE_SIZE)
  return Number.isInteger(size) ? size : undefined
}

function within(typed: TypedSize, { min, max }: { min: number; max: number }) {
  const size = typed === '' ? Number.NaN : Number(typed)
  return size >= min && size <= max ? size : undefined
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
