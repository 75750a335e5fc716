import { NumberInput } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { PRINT_SIZE } from '#contract/pictures.ts'
import styles from './downloads.module.css'

const BOUNDS = `From ${PRINT_SIZE.min} to ${PRINT_SIZE.max.toLocaleString('en-US')} mm`
const STEP_MM = 5

/** What stands in the field: a number, or text that is none yet. */
export type TypedSize = number | string

/** The edge in print in millimetres; undefined while the field holds none that can be printed. */
export function printSizeOf(typed: TypedSize): number | undefined {
  if (typed === '') return undefined
  const size = Number(typed)
  return size >= PRINT_SIZE.min && size <= PRINT_SIZE.max ? size : undefined
}

/** Enter saves the form and closes it, and this field is no part of what is saved. */
const keepOpen = (event: KeyboardEvent) => {
  if (event.key === 'Enter') event.preventDefault()
}

type Props = { value: TypedSize; onChange: (value: TypedSize) => void }

/** A size out of bounds is said and never corrected: the files wait for one that was meant. */
export function PrintSizeField({ value, onChange }: Props) {
  return (
    <NumberInput
      classNames={{ root: styles.size }}
      label="Print size (mm)"
      description="Edge of the printed code with its quiet border, in every file."
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      error={printSizeOf(value) === undefined && BOUNDS}
      value={value}
      onChange={onChange}
      onKeyDown={keepOpen}
      min={PRINT_SIZE.min}
      max={PRINT_SIZE.max}
      clampBehavior="none"
      allowNegative={false}
      decimalScale={1}
      step={STEP_MM}
    />
  )
}
