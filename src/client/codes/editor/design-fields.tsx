import { Group, SimpleGrid, Text, TextInput } from '@mantine/core'
import { colourPresets, lookOf, presetOf, spokenPreset } from '#contract/pictures/pictures.ts'
import {
  styles as allStyles,
  DEFAULT_LOOK,
  HEX_COLOUR,
  normalColour,
  type Style,
} from '#qr/symbol/look.ts'
import { MyStyles } from '../styles/my-styles.tsx'
import { type Crop, StyleSample } from '../styles/style-sample.tsx'
import { artworkOf, hasOwnShapes, NO_SHAPES } from './artwork/artwork-form.ts'
import type { EditorForm } from './editor.ts'
import styles from './fields.module.css'
import { CardText, Choices } from './fields.tsx'
import { fieldNames } from './values.ts'

const descriptions: Record<Style, string> = {
  classic: 'Sharp corners, traditional look',
  rounded: 'Soft rounded corners, modern feel',
}

export const styleNames: Record<Style, string> = { classic: 'Classic', rounded: 'Rounded' }

/** The design of a code: its style and colours, and the designs that the account has saved. */
export function DesignFields({ form }: { form: EditorForm }) {
  return (
    <>
      <StyleChooser form={form} />
      <ColourPresets form={form} />
      <MyStyles form={form} />
      <ColourFields form={form} />
    </>
  )
}

/** Two styles. Neither is chosen while the code has shapes of its own. */
function StyleChooser({ form }: { form: EditorForm }) {
  const { artwork, change } = artworkOf(form)
  const isCustom = hasOwnShapes(artwork)
  return (
    <Choices
      label={
        <>
          {fieldNames.style}{' '}
          {isCustom && (
            <Text component="span" size="sm" c="dimmed">
              Custom
            </Text>
          )}
        </>
      }
      items={allStyles}
      chosen={isCustom ? undefined : form.values.style}
      onChange={(style) => change(NO_SHAPES, { style })}
      grid={{ cols: 2, spacing: 'xs' }}
      card={() => ({ p: 'sm' })}
    >
      {(style) => (
        <>
          <StyleSample look={{ ...DEFAULT_LOOK, style, ecc: 'L' }} crop={CORNER} />
          <CardText name={styleNames[style]} line={descriptions[style]} />
        </>
      )}
    </Choices>
  )
}

/** The top left of a symbol: a finder pattern and its surroundings. */
const CORNER: Crop = [3, 3, 13]

/** A finder pattern with a module around it, of three pixels each within a border. */
const SWATCH = 29
const FINDER: Crop = [3, 3, SWATCH / 3]

/** Eight pairs of colours. The pair that equals the form's colours shows as chosen. */
function ColourPresets({ form }: { form: EditorForm }) {
  return (
    <Choices
      label="Color presets"
      items={colourPresets}
      chosen={presetOf(lookOf(form.values))}
      idOf={({ name }) => name}
      onChange={({ foreground, background }) =>
        form.setValues({ foregroundColor: foreground, backgroundColor: background })
      }
      grid={{ cols: 4 }}
      card={(preset) => ({ 'aria-label': spokenPreset(preset), 'data-preset': true })}
    >
      {({ name, foreground, background }) => (
        <>
          <StyleSample
            look={{ ...DEFAULT_LOOK, style: form.values.style, foreground, background, ecc: 'L' }}
            crop={FINDER}
            size={SWATCH}
          />
          <Text component="span" size="sm">
            {name}
          </Text>
        </>
      )}
    </Choices>
  )
}

/** Each colour can be picked or typed. */
function ColourFields({ form }: { form: EditorForm }) {
  const field = (path: 'foregroundColor' | 'backgroundColor', pick: string) => (
    <ColourField
      form={form}
      path={path}
      label={fieldNames[path]}
      pick={pick}
      value={form.values[path]}
      onChange={(colour) => form.setFieldValue(path, colour ?? '')}
    />
  )
  return (
    <SimpleGrid cols={2} spacing="sm">
      {field('foregroundColor', 'Pick foreground')}
      {field('backgroundColor', 'Pick background')}
    </SimpleGrid>
  )
}

type Props = {
  form: EditorForm
  /** Where the colour stands in the form's values */
  path: string
  label: string
  /** The name of its picker */
  pick?: string
  value: string | null
  /** The colour of an empty field; without it the field cannot be empty */
  fallback?: string
  placeholder?: string
  onChange: (colour: string | null) => void
}

/** A colour: picked, typed, or left to what it goes by. */
export function ColourField(props: Props) {
  const { form, path, label, value, fallback, placeholder, onChange } = props
  const { pick = `Pick ${label.toLowerCase()}` } = props
  const { onFocus, onBlur, error } = form.getInputProps(path)
  return (
    <TextInput
      data-path={path}
      label={label}
      placeholder={placeholder}
      maxLength={7}
      autoComplete="off"
      spellCheck={false}
      inputContainer={(input) => (
        <Group gap={8} wrap="nowrap">
          <input
            type="color"
            className={styles.picker}
            aria-label={pick}
            value={sixDigits(value ?? fallback ?? '')}
            onChange={(event) => onChange(event.target.value)}
          />
          <div style={{ flex: 1 }}>{input}</div>
        </Group>
      )}
      value={value ?? ''}
      onChange={({ target }) => onChange(target.value === '' && fallback ? null : target.value)}
      onFocus={onFocus}
      onBlur={() => {
        onBlur?.()
        // Half a colour is said at its field when that is left.
        if (value !== null) form.validateField(path)
      }}
      error={error}
    />
  )
}

/** The browser's picker only takes #rrggbb in lower case. */
export const sixDigits = (text: string) => (HEX_COLOUR.test(text) ? normalColour(text) : '#000000')
