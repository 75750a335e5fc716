import { Box, Group } from '@mantine/core'
import { useId } from 'react'
import styles from './choice.module.css'

type Props<Value extends string> = {
  /** The question, for people who do not see the page. */
  label: string
  options: readonly { value: Value; label: string }[]
  value: Value
  onChange: (value: Value) => void
}

/** One of a few, which wrap where there is little room. Arrow keys move within. */
export function Choice<Value extends string>({ label, options, value, onChange }: Props<Value>) {
  const name = useId()
  return (
    <Group role="radiogroup" aria-label={label} gap={4}>
      {options.map((option) => (
        <Box component="label" key={option.value} pos="relative" display="block">
          <input
            type="radio"
            className={styles.input}
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span className={styles.label}>{option.label}</span>
        </Box>
      ))}
    </Group>
  )
}
