import { Radio, SimpleGrid, Text, TextInput } from '@mantine/core'
import {
  FRAME_TEXT_MAX,
  type FrameChoice,
  type FrameShape,
  frameShapes,
  frameSizes,
  PLAIN_ARTWORK,
} from '#qr/artwork/artwork.ts'
import { DEFAULT_LOOK } from '#qr/symbol/look.ts'
import { useDrawn } from '../../../drawn-symbol.ts'
import { choicesOf } from '../../../formats.ts'
import { SAMPLE_TEXT } from '../../styles/style-sample.tsx'
import { ColourField } from '../colours.tsx'
import type { EditorForm } from '../editor.ts'
import { ChoiceCard, Section, Segments } from '../fields.tsx'
import styles from './artwork.module.css'
import { artworkOf, frameTextProblem, withFrameShape } from './artwork-form.ts'
import { frameNames } from './artwork-words.ts'
import { type ArtworkPlans, PlanNote } from './plan-note.tsx'

type Props = { form: EditorForm; seePlans: ArtworkPlans }

const NONE = 'none'

export function FrameSection({ form, seePlans }: Props) {
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
      <PlanNote seePlans={seePlans} />
      <Radio.Group label="Frame shape" value={frame?.shape ?? NONE} onChange={choose}>
        <SimpleGrid minColWidth={76} spacing={8} mt={4}>
          {[null, ...frameShapes].map((shape) => (
            <FrameTile key={shape} shape={shape} chosen={frame?.shape ?? NONE} />
          ))}
        </SimpleGrid>
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

function FrameTile({ shape, chosen }: { shape: FrameShape | null; chosen: string }) {
  const frame = shape && withFrameShape(null, shape, BLACK_ON_WHITE)
  const artwork = { ...PLAIN_ARTWORK, frame }
  const drawn = useDrawn(SAMPLE_TEXT, { ...DEFAULT_LOOK, ecc: 'L', artwork })
  return (
    <ChoiceCard value={shape ?? NONE} chosen={chosen} isFirst={shape === null} isTile>
      <img className={styles.whole} src={drawn} alt="" />
      <Text component="span" size="xs">
        {shape ? frameNames[shape] : 'No frame'}
      </Text>
    </ChoiceCard>
  )
}

const BLACK_ON_WHITE = { foregroundColor: '#000000', backgroundColor: '#FFFFFF' }

const colours = [
  { field: 'color', label: 'Frame color' },
  { field: 'textColor', label: 'Text color' },
] as const

type FieldsProps = {
  form: EditorForm
  frame: FrameChoice
  onChange: (part: Partial<FrameChoice>) => void
}

function FrameFields({ form, frame, onChange }: FieldsProps) {
  const text = form.getInputProps('artwork.frame.text')
  return (
    <>
      <TextInput
        label="Text"
        description="Your call to action."
        maxLength={FRAME_TEXT_MAX}
        autoComplete="off"
        {...text}
        value={frame.text}
        onChange={({ target }) => onChange({ text: target.value })}
        error={frameTextProblem(frame.text) ?? text.error}
      />
      <Segments
        label="Text size"
        value={frame.size}
        onChange={(size) => onChange({ size })}
        data={choicesOf(frameSizes)}
      />
      <SimpleGrid cols={2} spacing="sm">
        {colours.map(({ field, label }) => (
          <ColourField
            key={field}
            form={form}
            path={`artwork.frame.${field}`}
            label={label}
            value={frame[field]}
            onChange={(colour) => onChange({ [field]: colour ?? '' })}
          />
        ))}
      </SimpleGrid>
    </>
  )
}
