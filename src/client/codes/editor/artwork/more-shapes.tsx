import { SimpleGrid, Switch, Text } from '@mantine/core'
import { gradientKinds, MARGIN, PLAIN_ARTWORK, shapesOf } from '#qr/artwork/artwork.ts'
import { DEFAULT_LOOK } from '#qr/symbol/look.ts'
import { choicesOf } from '../../../formats.ts'
import { type Crop, StyleSample } from '../../styles/style-sample.tsx'
import { ColourField } from '../design-fields.tsx'
import type { EditorForm } from '../editor.ts'
import { Choices, Range, Section, Segments } from '../fields.tsx'
import type { OpenForm } from '../open-form.ts'
import { artworkOf, withShape } from './artwork-form.ts'
import { eyeNames, moduleNames, shortShapeWords } from './artwork-words.ts'
import { PlanNote } from './plan-note.tsx'

type Props = Pick<OpenForm, 'form' | 'seePlans'>

const ERRORS = /^artwork\.(eye|gradient|margin|transparent|modules)/

/** The shapes and colours of a code, beyond the two styles and the presets. */
export function MoreShapes({ form, seePlans }: Props) {
  const { artwork, change } = artworkOf(form)
  return (
    <Section
      title="More shapes"
      chosen={shortShapeWords(artwork)}
      hasError={Object.keys(form.errors).some((path) => ERRORS.test(path))}
    >
      <PlanNote seePlans={seePlans} />
      {shapeChoices.map((choice) => (
        <ShapeChoice key={choice.part} {...choice} form={form} />
      ))}
      <SimpleGrid cols={2} spacing="sm">
        {eyeColours.map(({ field, label }) => (
          <ColourField
            key={field}
            form={form}
            path={`artwork.${field}`}
            label={label}
            value={artwork[field]}
            fallback={form.values.foregroundColor}
            placeholder="Same as code"
            onChange={(colour) => change({ [field]: colour })}
          />
        ))}
      </SimpleGrid>
      <GradientFields form={form} />
      <Switch
        label="Transparent background"
        description="Tested on white. Place it on an equally light surface. JPG files can’t be transparent, so they get the background color."
        checked={artwork.transparent}
        onChange={({ currentTarget }) => change({ transparent: currentTarget.checked })}
      />
      <Range
        label="Margin"
        value={artwork.margin}
        {...MARGIN}
        words={`${artwork.margin} modules`}
        onChange={(margin) => change({ margin })}
      />
    </Section>
  )
}

const eyeColours = [
  { field: 'eyeFrameColor', label: 'Eye frame color' },
  { field: 'eyeBallColor', label: 'Eye center color' },
] as const

/** Left, top and edge of what a sample shows: an eye, or modules without one. */
const AN_EYE: Crop = [3.5, 3.5, 8]
const MODULES: Crop = [16, 16, 8]

const shapeChoices = [
  { part: 'modules', label: 'Modules', names: moduleNames, crop: MODULES },
  { part: 'eyeFrame', label: 'Eye frames', names: eyeNames, crop: AN_EYE },
  { part: 'eyeBall', label: 'Eye centers', names: eyeNames, crop: AN_EYE },
] as const

type ChoiceProps = (typeof shapeChoices)[number] & { form: EditorForm }

/** The shapes of one part of the symbol, drawn by the engine. */
function ShapeChoice({ part, label, names, crop, form }: ChoiceProps) {
  const { artwork, change } = artworkOf(form)
  const { style } = form.values
  return (
    <Choices
      label={label}
      items={Object.keys(names)}
      chosen={shapesOf(style, artwork)[part]}
      onChange={(shape) => change(withShape(style, part, shape))}
      grid={{ cols: 4 }}
      isTile
    >
      {(shape) => (
        <>
          <StyleSample
            look={{ ...DEFAULT_LOOK, ecc: 'L', artwork: { ...PLAIN_ARTWORK, [part]: shape } }}
            crop={crop}
            size={44}
          />
          <Text component="span" size="xs">
            {(names as Record<string, string>)[shape]}
          </Text>
        </>
      )}
    </Choices>
  )
}

const kinds = ['none', ...gradientKinds] as const

/** As dark as most foregrounds, and easy to tell from them. */
const FIRST_TO = '#1e40af'
const ANGLE = { min: 0, max: 345, step: 15 }
const FIRST_ANGLE = 45

/** A gradient from the foreground to another colour. */
function GradientFields({ form }: { form: EditorForm }) {
  const { artwork, change } = artworkOf(form)
  const { gradient } = artwork
  const choose = (kind: (typeof kinds)[number]) => {
    if (kind === 'none') return change({ gradient: null })
    const { to = FIRST_TO, angle = FIRST_ANGLE } = gradient ?? {}
    change({ gradient: { kind, to, angle } })
  }
  return (
    <>
      <Segments
        label="Gradient"
        value={gradient?.kind ?? 'none'}
        onChange={choose}
        data={choicesOf(kinds)}
      />
      {gradient && (
        <ColourField
          form={form}
          path="artwork.gradient.to"
          label="Second color"
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
