import { TextInput } from '@mantine/core'
import { sixDigits } from '../colours.tsx'
import type { EditorForm } from '../editor.ts'
import fieldStyles from '../fields.module.css'

type Props = {
  form: EditorForm
  /** Where the colour stands in the form's values */
  path: string
  label: string
  value: string | null
  /** What an empty field stands for; without one it cannot be empty */
  fallback?: string
  placeholder?: string
  onChange: (colour: string | null) => void
}

/** A colour of the artwork: picked, typed, or left to what it goes by. */
export function ColourChoice({ form, path, label, value, fallback, placeholder, onChange }: Props) {
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
        <div className={fieldStyles.colour}>
          <input
            type="color"
            aria-label={`Pick ${label.toLowerCase()}`}
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
