import { Input, Radio, SegmentedControl, Text, TextInput } from '@mantine/core'
import { useId, useMemo } from 'react'
import type { Tier } from '#contract/plans.ts'
import {
  FRAME_TEXT_MAX,
  type FrameChoice,
  type FrameShape,
  frameShapes,
  PLAIN_ARTWORK,
} from '#qr/artwork/artwork.ts'
import { DEFAULT_LOOK } from '#qr/symbol/look.ts'
import { useDrawn } from '../../../drawn-symbol.ts'
import formStyles from '../../../ui/form.module.css'
import styles from '../artwork/artwork.module.css'
import { artworkOf } from '../artwork/artwork-form.ts'
import { frameNames } from '../artwork/artwork-words.ts'
import { ColourChoice } from '../artwork/colour-choice.tsx'
import { type ArtworkPlans, PlanNote } from '../artwork/plan-note.tsx'
import { Section } from '../artwork/section.tsx'

import { ChoiceCard } from '../choice-card.tsx'
import type { EditorForm } from '../editor.ts'
import { frameTextProblem, withFrameShape } from './frame-choice.ts'

type Props = { form: EditorForm; tier: Tier; seePlans: ArtworkPlans }

const NONE = 'none'

export function FrameSection({ form, tier, seePlans }: Props) {
  const { artwork, change } = artworkOf(form)
  const { frame } = artwork
  const choose = (shape: string) =>
    change({
      frame: shape === NONE ? null : withFrameShape(frame, shape as FrameShape, form.values),
    })
  return (
    <Section
      title="Frame"
      chosen={frame ? [frameNames[frame.shape], `“${frame.text}”`] : []}
      hasError={Object.keys(form.errors).some((path) => path.startsWith('artwork.frame'))}
    >
      <PlanNote
        {...{ tier, seePlans }}
        text="Part of every paid plan. Try them here: the picture shows what you choose."
      />
      <Radio.Group label="Shape of the frame" value={frame?.shape ?? NONE} onChange={choose}>
        <div className={styles.grid}>
          {[null, ...frameShapes].map((shape) => (
            <FrameTile key={shape} shape={shape} chosen={frame?.shape ?? NONE} />
          ))}
        </div>
      </Radio.Group>
      {frame && (
        <FrameFields
          form={form}
          frame={frame}
          onChange={(part) => change({ frame: { ...frame, ...part } })}
        />
      )}
    </Section>
  )
}

const SAMPLE_TEXT = 'TESSERA'

function FrameTile({ shape, chosen }: { shape: FrameShape | null; chosen: string }) {
  const look = useMemo(() => {
    const frame = shape && withFrameShape(null, shape, BLACK_ON_WHITE)
    return { ...DEFAULT_LOOK, ecc: 'L' as const, artwork: { ...PLAIN_ARTWORK, frame } }
  }, [shape])
  const drawn = useDrawn(SAMPLE_TEXT, look)
  return (
    <ChoiceCard
      value={shape ?? NONE}
      chosen={chosen}
      isFirst={shape === null}
      isTile
      className={styles.tile}
    >
      <img className={styles.whole} src={drawn} alt="" />
      <Text component="span" size="xs">
        {shape ? frameNames[shape] : 'No frame'}
      </Text>
    </ChoiceCard>
  )
}

const BLACK_ON_WHITE = { foregroundColor: '#000000', backgroundColor: '#FFFFFF' }

const sizes = [
  { value: 'small', label: 'Small' },
  { value: 'medium', label: 'Medium' },
  { value: 'large', label: 'Large' },
]

type FieldsProps = {
  form: EditorForm
  frame: FrameChoice
  onChange: (part: Partial<FrameChoice>) => void
}

function FrameFields({ form, frame, onChange }: FieldsProps) {
  const id = useId()
  const text = form.getInputProps('artwork.frame.text')
  return (
    <>
      <TextInput
        label="Text"
        description="What people are to do, in your words."
        maxLength={FRAME_TEXT_MAX}
        autoComplete="off"
        {...text}
        value={frame.text}
        onChange={({ target }) => onChange({ text: target.value })}
        error={frameTextProblem(frame.text) ?? text.error}
      />
      <div>
        <Input.Label id={id} labelElement="div">
          Size of the text
        </Input.Label>
        <SegmentedControl
          fullWidth
          aria-labelledby={id}
          value={frame.size}
          onChange={(size) => onChange({ size: size as FrameChoice['size'] })}
          data={sizes}
        />
      </div>
      <div className={formStyles.pair}>
        <ColourChoice
          form={form}
          path="artwork.frame.color"
          label="Frame colour"
          value={frame.color}
          onChange={(color) => onChange({ color: color ?? '' })}
        />
        <ColourChoice
          form={form}
          path="artwork.frame.textColor"
          label="Text colour"
          value={frame.textColor}
          onChange={(textColor) => onChange({ textColor: textColor ?? '' })}
        />
      </div>
    </>
  )
}
