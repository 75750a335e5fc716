import { hostOf } from '../links.ts'
import styles from './code-table.module.css'

/** Characters of the end that always show: codes often differ only there. */
const END = 14

/** A destination without its scheme, cut in its middle if it is longer than its place. */
export function ShownUrl({ url }: { url: string }) {
  const text = hostOf(url).replace(/^([^/]+)\/$/, '$1')
  const end = Math.max(0, text.length - END)
  return (
    <bdi className={styles.shown}>
      <span>{text.slice(0, end)}</span>
      <span>{text.slice(end)}</span>
    </bdi>
  )
}
