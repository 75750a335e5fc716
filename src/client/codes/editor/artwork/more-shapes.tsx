import { Radio, Switch, Text } from '@mantine/core'
import type { Tier } from '#contract/plans.ts'
import {
  type Artwork,
  eyeShapes,
  type Gradient,
  MARGIN,
  moduleShapes,
  PLAIN_ARTWORK,
} from '#qr/artwork/artwork.ts'
import { DEFAULT_LOOK } from '#qr/symbol/look.ts'
import formStyles from '../../../ui/form.module.css'
import { type Crop, StyleSample } from '../../styles/style-sample.tsx'
import { ColourField } from '../colours.tsx'
import type { EditorForm } from '../editor.ts'
import { ChoiceCard, Range, Section, Segments } from '../fields.tsx'
import styles from './artwork.module.css'
import { artworkOf, shapesOf, withShape } from './artwork-form.ts'
import { eyeNames, moduleNames, shortShapeWords } from './artwork-words.ts'
import { type ArtworkPlans, PlanNote } from './plan-note.tsx'

type Props = { form: EditorForm; tier: Tier; seePlans: ArtworkPlans }

const ERRORS = /^artwork\.(eye|gradient|margin|transparent|modules)/

/** Everything about the shapes and colours of a code that the two styles and the presets do not say. */
export function MoreShapes({ form, tier, seePlans }: Props) {
  const { artwork, change } = artworkOf(form)
  return (
    <Section
      title="More shapes"
      chosen={shortShapeWords(artwork)}
      hasError={Object.keys(form.errors).some((path) => ERRORS.test(path))}
    >
      <PlanNote
        tier={tier}
        seePlans={seePlans}
        text="Part of every paid plan. Try them here: the picture shows what you choose."
      />
      <Shapes form={form} />
      <div className={formStyles.pair}>
        <ColourField
          form={form}
          path="artwork.eyeFrameColor"
          label="Eye frame colour"
          value={artwork.eyeFrameColor}
          fallback={form.values.foregroundColor}
          placeholder="As the code"
          onChange={(eyeFrameColor) => change({ eyeFrameColor })}
        />
        <ColourField
          form={form}
          path="artwork.eyeBallColor"
          label="Eye ball colour"
          value={artwork.eyeBallColor}
          fallback={form.values.foregroundColor}
          placeholder="As the code"
          onChange={(eyeBallColor) => change({ eyeBallColor })}
        />
      </div>
      <GradientFields form={form} />
      <Switch
        label="Transparent background"
        description="Checked on white: put it on something as light. JPG files cannot be transparent and get the background colour."
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

function Shapes({ form }: { form: EditorForm }) {
  const { artwork, change } = artworkOf(form)
  const { style } = form.values
  const shown = shapesOf(style, artwork)
  return (
    <>
      <Radio.Group
        label="Modules"
        value={shown.modules}
        onChange={(shape) => change(withShape(style, 'modules', shape))}
      >
        <div className={styles.four}>
          {moduleShapes.map((shape, index) => (
            <ShapeTile
              key={shape}
              value={shape}
              name={moduleNames[shape]}
              chosen={shown.modules}
              isFirst={index === 0}
              part={{ modules: shape }}
              crop={MODULES}
            />
          ))}
        </div>
      </Radio.Group>
      <EyeShapes label="Eye frames" part="eyeFrame" form={form} />
      <EyeShapes label="Eye balls" part="eyeBall" form={form} />
    </>
  )
}

type EyeProps = { label: string; part: 'eyeFrame' | 'eyeBall'; form: EditorForm }

function EyeShapes({ label, part, form }: EyeProps) {
  const { artwork, change } = artworkOf(form)
  const { style } = form.values
  const chosen = shapesOf(style, artwork)[part]
  return (
    <Radio.Group
      label={label}
      value={chosen}
      onChange={(shape) => change(withShape(style, part, shape))}
    >
      <div className={styles.four}>
        {eyeShapes.map((shape, index) => (
          <ShapeTile
            key={shape}
            value={shape}
            name={eyeNames[shape]}
            chosen={chosen}
            isFirst={index === 0}
            part={{ [part]: shape }}
            crop={AN_EYE}
          />
        ))}
      </div>
    </Radio.Group>
  )
}

type GradientKind = Gradient['kind'] | 'none'
const kinds: { value: GradientKind; label: string }[] = [
  { value: 'none', label: 'None' },
  { value: 'linear', label: 'Linear' },
  { value: 'radial', label: 'Radial' },
]

/** As dark as most foregrounds, and easy to tell from them. */
const FIRST_TO = '#1e40af'
const ANGLE = { min: 0, max: 345, step: 15 }
const FIRST_ANGLE = 45

/** A gradient from the foreground to another colour. */
function GradientFields({ form }: { form: EditorForm }) {
  const { artwork, change } = artworkOf(form)
  const { gradient } = artwork
  const choose = (kind: GradientKind) => {
    if (kind === 'none') return change({ gradient: null })
    const { to = FIRST_TO, angle = FIRST_ANGLE } = gradient ?? {}
    change({ gradient: { kind, to, angle } })
  }
  return (
    <>
      <Segments label="Gradient" value={gradient?.kind ?? 'none'} onChange={choose} data={kinds} />
      {gradient && (
        <ColourField
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

type TileProps = {
  value: string
  name: string
  chosen: string
  isFirst: boolean
  /** The part of the artwork that the sample shows */
  part: Partial<Artwork>
  /** The part of the symbol that is shown: an eye, or modules without one */
  crop: Crop
}

const AN_EYE: Crop = [3.5, 3.5, 8]
const MODULES: Crop = [16, 16, 8]

/** A shape to choose, drawn by the engine. */
function ShapeTile({ value, name, chosen, isFirst, part, crop }: TileProps) {
  const artwork = { ...PLAIN_ARTWORK, ...part }
  return (
    <ChoiceCard value={value} chosen={chosen} isFirst={isFirst} isTile>
      <StyleSample look={{ ...DEFAULT_LOOK, ecc: 'L', artwork }} crop={crop} size={44} />
      <Text component="span" size="xs">
        {name}
      </Text>
    </ChoiceCard>
  )
}
