import { type ComponentProps, useEffect, useRef } from 'react'
import styles from './tick.module.css'

type Props = Omit<ComponentProps<'input'>, 'type' | 'className'> & { indeterminate?: boolean }

/**
 * The checkbox of a row. On a touch screen the space around it ticks it too. Not Mantine's, which
 * draws itself twice: a list of twenty-five keeps a slow phone busy with that.
 */
export function Tick({ indeterminate = false, ...props }: Props) {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current) box.current.indeterminate = indeterminate
  }, [indeterminate])
  return (
    <label className={styles.finger}>
      <input ref={box} type="checkbox" className={styles.box} {...props} />
    </label>
  )
}
