import { Radio, Switch } from '@mantine/core'
import type { Tier } from '#contract/plans.ts'
import { eyeShapes, MARGIN, moduleShapes } from '#qr/artwork/artwork.ts'
import formStyles from '../../../ui/form.module.css'
import styles from '../artwork/artwork.module.css'
import { artworkOf } from '../artwork/artwork-form.ts'
import { eyeNames, moduleNames, shortShapeWords } from '../artwork/artwork-words.ts'
import { ColourChoice } from '../artwork/colour-choice.tsx'
import { type ArtworkPlans, PlanNote } from '../artwork/plan-note.tsx'
import { Range } from '../artwork/range.tsx'
import { Section } from '../artwork/section.tsx'

import type { EditorForm } from '../editor.ts'
import { GradientFields } from './gradient-fields.tsx'
import { AN_EYE, MODULES, ShapeTile } from './shape-tile.tsx'
import { shapesOf, withShape } from './shapes-of.ts'

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
        {...{ tier, seePlans }}
        text="Part of every paid plan. Try them here: the picture shows what you choose."
      />
      <Shapes form={form} />
      <div className={formStyles.pair}>
        <ColourChoice
          form={form}
          path="artwork.eyeFrameColor"
          label="Eye frame colour"
          value={artwork.eyeFrameColor}
          fallback={form.values.foregroundColor}
          placeholder="As the code"
          onChange={(eyeFrameColor) => change({ eyeFrameColor })}
        />
        <ColourChoice
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
