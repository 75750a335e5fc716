import { type ReactNode, useState } from 'react'
import styles from './scans-chart.module.css'

type Props = {
  /** Names the place that scrolls: "Scans as a table". */
  label: string
  children: ReactNode
}

/** A chart's numbers for those who read rather than look, drawn when they are asked for. */
export function AsTable({ label, children }: Props) {
  const [opened, setOpened] = useState(false)
  return (
    <details
      className={styles.details}
      onToggle={({ currentTarget }) => setOpened(currentTarget.open)}
    >
      <summary>Show as a table</summary>
      {opened && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
        <section className={styles.scroll} tabIndex={0} aria-label={label}>
          {children}
        </section>
      )}
    </details>
  )
}

type TableProps = {
  caption: string
  head: readonly string[]
  /** Each begins with its name; `key` tells rows with the same name apart. */
  rows: readonly { key: string; cells: readonly string[] }[]
}

export function NumbersTable({ caption, head, rows }: TableProps) {
  return (
    <table className={styles.table}>
      <caption>{caption}</caption>
      <thead>
        <tr>
          {head.map((text) => (
            <th key={text} scope="col">
              {text}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells: [name, ...cells] }) => (
          <tr key={key}>
            <th scope="row">
              <bdi>{name}</bdi>
            </th>
            {cells.map((text, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its column
              <td key={index}>{text}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
