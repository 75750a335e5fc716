import { Radio, SimpleGrid, Text, TextInput } from '@mantine/core'
import { colourPresets, lookOf, presetOf, spokenPreset } from '#contract/pictures/pictures.ts'
import { HEX_COLOUR } from '#qr/symbol/look.ts'
import type { EditorForm } from './editor.ts'
import styles from './fields.module.css'
import { ChoiceCard } from './fields.tsx'
import { fieldNames } from './values.ts'

/** Eight pairs of colours. The pair that equals the form's colours shows as chosen. */
export function ColourPresets({ form }: { form: EditorForm }) {
  const chosen = presetOf(lookOf(form.values))?.name ?? ''
  const choose = (name: string) => {
    const preset = colourPresets.find((one) => one.name === name)
    if (!preset) return
    form.setValues({ foregroundColor: preset.foreground, backgroundColor: preset.background })
  }
  return (
    <Radio.Group label="Color presets" value={chosen} onChange={choose}>
      <SimpleGrid cols={4} spacing={8} mt={4}>
        {colourPresets.map((preset, index) => (
          <ChoiceCard
            key={preset.name}
            value={preset.name}
            chosen={chosen}
            isFirst={index === 0}
            aria-label={spokenPreset(preset)}
            className={styles.preset}
            p={8}
          >
            <span
              className={styles.swatch}
              style={{ background: preset.background, color: preset.foreground }}
              data-style={form.values.style}
              aria-hidden
            />
            <Text component="span" size="sm">
              {preset.name}
            </Text>
          </ChoiceCard>
        ))}
      </SimpleGrid>
    </Radio.Group>
  )
}

/** Each colour can be picked or typed. */
export function ColourFields({ form }: { form: EditorForm }) {
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
        <div className={styles.colour}>
          <input
            type="color"
            aria-label={pick}
            value={sixDigits(value ?? fallback ?? '')}
            onChange={(event) => onChange(event.target.value)}
          />
          <div style={{ flex: 1 }}>{input}</div>
        </div>
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
export function sixDigits(text: string): string {
  if (!HEX_COLOUR.test(text)) return '#000000'
  const digits = text.slice(1).toLowerCase()
  return digits.length === 6 ? `#${digits}` : `#${[...digits].map((d) => d + d).join('')}`
}
