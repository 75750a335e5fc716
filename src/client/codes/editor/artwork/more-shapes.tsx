import { Radio, SimpleGrid, Switch, Text } from '@mantine/core'
import { gradientKinds, MARGIN, PLAIN_ARTWORK } from '#qr/artwork/artwork.ts'
import { DEFAULT_LOOK } from '#qr/symbol/look.ts'
import { choicesOf } from '../../../formats.ts'
import { type Crop, StyleSample } from '../../styles/style-sample.tsx'
import { ColourField } from '../colours.tsx'
import type { EditorForm } from '../editor.ts'
import { ChoiceCard, Range, Section, Segments } from '../fields.tsx'
import { artworkOf, shapesOf, withShape } from './artwork-form.ts'
import { eyeNames, moduleNames, shortShapeWords } from './artwork-words.ts'
import { type ArtworkPlans, PlanNote } from './plan-note.tsx'

type Props = { form: EditorForm; seePlans: ArtworkPlans }

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
  const chosen = shapesOf(style, artwork)[part]
  const look = (shape: string) => ({
    ...DEFAULT_LOOK,
    ecc: 'L' as const,
    artwork: { ...PLAIN_ARTWORK, [part]: shape },
  })
  return (
    <Radio.Group
      label={label}
      value={chosen}
      onChange={(shape) => change(withShape(style, part, shape))}
    >
      <SimpleGrid cols={4} spacing={8} mt={4}>
        {Object.entries(names).map(([shape, name], index) => (
          <ChoiceCard key={shape} value={shape} chosen={chosen} isFirst={index === 0} isTile>
            <StyleSample look={look(shape)} crop={crop} size={44} />
            <Text component="span" size="xs">
              {name}
            </Text>
          </ChoiceCard>
        ))}
      </SimpleGrid>
    </Radio.Group>
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
