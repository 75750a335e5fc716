import { Text } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import styles from './artwork.module.css'

type Props = {
  label: string
  value: number
  min: number
  max: number
  step?: number
  /** The value as it is read out and shown */
  words: string
  onChange: (value: number) => void
  /** Below the slider */
  children?: ReactNode
}

/** The browser's own slider: it works by touch and by keyboard, and in forced colours. */
export function Range({ label, value, min, max, step = 1, words, onChange, children }: Props) {
  const id = useId()
  return (
    <div className={styles.range}>
      <div className={styles.line}>
        <Text component="label" htmlFor={id} size="sm" fw={500}>
          {label}
        </Text>
        <Text component="span" size="sm" c="dimmed" aria-hidden>
          {words}
        </Text>
      </div>
      <input
        id={id}
        type="range"
        {...{ min, max, step, value }}
        aria-valuetext={words}
        onChange={(event) => onChange(event.target.valueAsNumber)}
      />
      {children}
    </div>
  )
}
