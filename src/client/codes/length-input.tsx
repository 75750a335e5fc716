import { NumberInput, type NumberInputProps } from '@mantine/core'
import { useState } from 'react'
import { INCH, inUnit, lengthUnit, mmOf } from '../formats.ts'

/** A length in millimeters, NaN while there is none. `step`, `min` and `max` are in millimeters, too. */
type Props = Omit<NumberInputProps, 'value' | 'onChange' | 'step' | 'min' | 'max'> & {
  value: number
  onChange: (mm: number) => void
  step: number
  min?: number
  max: number
}

/** An eighth, as on a ruler. */
const INCH_STEP = 0.125

/** A field for a length in the reader's unit. What is typed stays as it is, also while it is not a length. */
export function LengthInput({ value, onChange, step, min = 0, max, ...props }: Props) {
  const unit = lengthUnit()
  const [typed, setTyped] = useState<number | string>('')
  const shown = Number.isNaN(value) ? '' : Number(inUnit(value, unit).toFixed(3))
  return (
    <NumberInput
      suffix={` ${unit.name}`}
      decimalScale={unit === INCH ? 3 : 2}
      step={unit === INCH ? INCH_STEP : step}
      min={inUnit(min, unit)}
      max={inUnit(max, unit)}
      clampBehavior="none"
      allowNegative={false}
      {...props}
      value={Object.is(mmOf(typed, unit), value) ? typed : shown}
      onChange={(next) => {
        setTyped(next)
        onChange(mmOf(next, unit))
      }}
    />
  )
}
