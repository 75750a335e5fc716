import { type CSSProperties, type KeyboardEvent, useState } from 'react'
import { createStore } from '../../ui/store.ts'
import type { Coloured } from './chart-series.ts'
import styles from './scans-chart.module.css'

/** The codes that a user has taken out of the chart, by label, for as long as the page is open. */
const hiddenCodes = createStore<ReadonlySet<string>>(new Set())

export const useHiddenCodes = hiddenCodes.use

function toggleCode(label: string): void {
  const next = new Set(hiddenCodes.get())
  if (!next.delete(label)) next.add(label)
  hiddenCodes.set(next)
}

type Props = { series: Coloured[]; hidden: ReadonlySet<string> }

const STEP: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

/** A button for each code: pressed while it is in the chart. One tab stop, arrows move within. */
export function ChartLegend({ series, hidden }: Props) {
  const [current, setCurrent] = useState(0)
  const count = series.length
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const { key, currentTarget } = event
    const next =
      key === 'Home' ? 0 : key === 'End' ? count - 1 : STEP[key] && current + STEP[key] + count
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    currentTarget.querySelectorAll<HTMLElement>('[aria-pressed]')[next % count]?.focus()
  }
  const isFiltered = series.some(({ label }) => hidden.has(label))
  return (
    <div className={styles.legend}>
      <div
        role="toolbar"
        aria-label="QR codes in the chart"
        className={styles.keys}
        onKeyDown={move}
      >
        {series.map(({ key, label, color, isHollow }, index) => (
          <button
            key={key}
            type="button"
            className={styles.key}
            title={label}
            aria-pressed={!hidden.has(label)}
            tabIndex={index === Math.min(current, count - 1) ? 0 : -1}
            onFocus={() => setCurrent(index)}
            onClick={() => toggleCode(label)}
          >
            <Swatch color={color} isHollow={isHollow} />
            <span className={styles.label} dir="auto">
              {label}
            </span>
          </button>
        ))}
      </div>
      <button
        type="button"
        className={styles.all}
        disabled={!isFiltered}
        onClick={() => hiddenCodes.set(new Set())}
      >
        Show all
      </button>
    </div>
  )
}

/** The color of a code's series, beside its name. */
export function Swatch({ color, isHollow }: { color: string; isHollow: boolean | undefined }) {
  return (
    <span
      className={styles.swatch}
      data-hollow={isHollow || undefined}
      style={{ '--colour': color } as CSSProperties}
      aria-hidden
    />
  )
}
