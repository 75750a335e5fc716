import { SimpleGrid, Text, TextInput } from '@mantine/core'
import {
  FRAME_TEXT_MAX,
  type FrameChoice,
  type FrameShape,
  frameShapes,
  frameSizes,
  PLAIN_ARTWORK,
} from '#qr/artwork/artwork.ts'
import { DEFAULT_LOOK } from '#qr/symbol/look.ts'
import { useDrawn } from '../../../drawing/drawn-symbol.ts'
import { choicesOf } from '../../../formats.ts'
import { SAMPLE_TEXT } from '../../styles/style-sample.tsx'
import { ColourField } from '../design-fields.tsx'
import type { EditorForm } from '../editor.ts'
import styles from '../fields.module.css'
import { Choices, Section, Segments } from '../fields.tsx'
import type { OpenForm } from '../open-form.ts'
import { artworkOf, frameTextProblem, withFrameShape } from './artwork-form.ts'
import { frameNames } from './artwork-words.ts'
import { PlanNote } from './plan-note.tsx'

type Props = Pick<OpenForm, 'form' | 'seePlans'>

export function FrameSection({ form, seePlans }: Props) {
  const { artwork, change } = artworkOf(form)
  const { frame } = artwork
  return (
    <Section
      title="Frame"
      chosen={frame ? [frameNames[frame.shape], `“${frame.text}”`] : []}
      hasError={Object.keys(form.errors).some((path) => path.startsWith('artwork.frame'))}
    >
      <PlanNote seePlans={seePlans} />
      <Choices
        label="Frame shape"
        items={[null, ...frameShapes]}
        chosen={frame?.shape ?? null}
        onChange={(shape) => change({ frame: shape && withFrameShape(frame, shape, form.values) })}
        grid={{ minColWidth: 76 }}
        isTile
      >
        {(shape) => <FrameTile shape={shape} />}
      </Choices>
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

function FrameTile({ shape }: { shape: FrameShape | null }) {
  const frame = shape && withFrameShape(null, shape, BLACK_ON_WHITE)
  const artwork = { ...PLAIN_ARTWORK, frame }
  const drawn = useDrawn(SAMPLE_TEXT, { ...DEFAULT_LOOK, ecc: 'L', artwork })
  return (
    <>
      <img className={styles.tile} src={drawn} alt="" width={56} height={68} />
      <Text component="span" size="xs">
        {shape ? frameNames[shape] : 'No frame'}
      </Text>
    </>
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
