import { Radio, SimpleGrid, Text, TextInput } from '@mantine/core'
import { colourPresets, lookOf, presetOf, spokenPreset } from '#contract/pictures/pictures.ts'
import { HEX_COLOUR } from '#qr/symbol/look.ts'
import formStyles from '../../ui/form.module.css'
import { ChoiceCard } from './choice-card.tsx'
import type { EditorForm } from './editor.ts'
import styles from './fields.module.css'
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
    <Radio.Group label="Colour presets" value={chosen} onChange={choose}>
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
  return (
    <div className={formStyles.pair}>
      <ColourField form={form} field="foregroundColor" pick="Pick foreground" />
      <ColourField form={form} field="backgroundColor" pick="Pick background" />
    </div>
  )
}

type Props = {
  form: EditorForm
  field: 'foregroundColor' | 'backgroundColor'
  pick: string
}

function ColourField({ form, field, pick }: Props) {
  return (
    <TextInput
      label={fieldNames[field]}
      maxLength={7}
      autoComplete="off"
      spellCheck={false}
      inputContainer={(input) => (
        <div className={styles.colour}>
          <input
            type="color"
            aria-label={pick}
            value={sixDigits(form.values[field])}
            onChange={(event) => form.setFieldValue(field, event.target.value)}
          />
          <div style={{ flex: 1 }}>{input}</div>
        </div>
      )}
      {...form.getInputProps(field)}
    />
  )
}

/** The browser's picker only takes #rrggbb in lower case. */
export function sixDigits(text: string): string {
  if (!HEX_COLOUR.test(text)) return '#000000'
  const digits = text.slice(1).toLowerCase()
  return digits.length === 6 ? `#${digits}` : `#${[...digits].map((d) => d + d).join('')}`
}
