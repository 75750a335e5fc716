import { Checkbox, type CheckboxProps } from '@mantine/core'
import styles from './code-table.module.css'

/** The tick of a row. Where fingers press, what is around it ticks it as well. */
export function Tick(props: CheckboxProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: its control is the kit's, with a name of its own
    <label className={styles.finger}>
      <Checkbox {...props} />
    </label>
  )
}
