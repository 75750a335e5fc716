import { TextInput } from '@mantine/core'
import { HEX_COLOUR } from '#qr/symbol/look.ts'
import styles from './choices.module.css'
import type { EditorForm } from './editor.ts'

/** Each colour twice: to pick, and to type. */
export function ColourFields({ form }: { form: EditorForm }) {
  return (
    <div className={styles.colours}>
      <ColourField
        form={form}
        field="foregroundColor"
        label="Foreground colour"
        pick="Pick foreground"
      />
      <ColourField
        form={form}
        field="backgroundColor"
        label="Background colour"
        pick="Pick background"
      />
    </div>
  )
}

type Props = {
  form: EditorForm
  field: 'foregroundColor' | 'backgroundColor'
  label: string
  pick: string
}

function ColourField({ form, field, label, pick }: Props) {
  return (
    <TextInput
      label={label}
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

/** The browser's picker takes nothing but #rrggbb in lower case. */
export function sixDigits(text: string): string {
  if (!HEX_COLOUR.test(text)) return '#000000'
  const digits = text.slice(1).toLowerCase()
  return digits.length === 6 ? `#${digits}` : `#${[...digits].map((d) => d + d).join('')}`
}
