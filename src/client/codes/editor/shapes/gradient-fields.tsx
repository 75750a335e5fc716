import { Input, SegmentedControl } from '@mantine/core'
import { useId } from 'react'
import type { Gradient } from '#qr/artwork/artwork.ts'
import { artworkOf } from '../artwork/artwork-form.ts'
import { ColourChoice } from '../artwork/colour-choice.tsx'
import { Range } from '../artwork/range.tsx'
import type { EditorForm } from '../editor.ts'

const kinds = [
  { value: 'none', label: 'None' },
  { value: 'linear', label: 'Linear' },
  { value: 'radial', label: 'Radial' },
]

/** As dark as most foregrounds, and easy to tell from them. */
const FIRST_TO = '#1e40af'
const ANGLE = { min: 0, max: 345, step: 15 }
const FIRST_ANGLE = 45

/** A gradient from the foreground to another colour. */
export function GradientFields({ form }: { form: EditorForm }) {
  const { artwork, change } = artworkOf(form)
  const { gradient } = artwork
  const id = useId()
  const choose = (kind: string) => {
    if (kind === 'none') return change({ gradient: null })
    const { to = FIRST_TO, angle = FIRST_ANGLE } = gradient ?? {}
    change({ gradient: { kind: kind as Gradient['kind'], to, angle } })
  }
  return (
    <>
      <div>
        <Input.Label id={id} labelElement="div">
          Gradient
        </Input.Label>
        <SegmentedControl
          fullWidth
          aria-labelledby={id}
          value={gradient?.kind ?? 'none'}
          onChange={choose}
          data={kinds}
        />
      </div>
      {gradient && (
        <ColourChoice
          form={form}
          path="artwork.gradient.to"
          label="Second colour"
          value={gradient.to}
          onChange={(to) => change({ gradient: { ...gradient, to: to ?? '' } })}
        />
      )}
      {gradient?.kind === 'linear' && (
        <Range
          label="Angle"
          value={gradient.angle}
          {...ANGLE}
          words={`${gradient.angle}°`}
          onChange={(angle) => change({ gradient: { ...gradient, angle } })}
        />
      )}
    </>
  )
}
