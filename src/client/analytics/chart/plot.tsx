import { Box } from '@mantine/core'
import {
  type CSSProperties,
  type FocusEventHandler,
  memo,
  type ReactNode,
  useId,
  useRef,
} from 'react'
import { formatCount, formatShort } from '../../formats.ts'
import { Swatch } from './chart-legend.tsx'
import { useReadDay } from './read-day.ts'
import styles from './scans-chart.module.css'

/** A place of the axis below, and what stands there. */
export type Tick = { index: number; text: string }

/** How a tooltip is named, and whether it stays, so that it can be scrolled. */
export type Held = { id: string; isHeld: boolean; onBlur: FocusEventHandler }

type Props = {
  /** Places from left to right, such as days. */
  count: number
  axis: readonly number[]
  /** Keeps its identity while the places are the same. */
  ticks: readonly Tick[]
  /** The name of a place: "Day". */
  label: string
  valueText: (index: number) => string
  tooltip: (index: number, held: Held) => ReactNode
  /** The drawing, as high as the axis and as wide as all places. */
  children: ReactNode
}

/**
 * The frame of a chart. A pointer reads the place that it is at, a click or a tap keeps that place open;
 * the keyboard and assistive technology move a slider over the places.
 */
export function Plot({ count, axis, ticks, label, valueText, tooltip, children }: Props) {
  const area = useRef<HTMLDivElement>(null)
  const { day, isHeld, pointer, slider, tooltip: kept } = useReadDay(area, count)
  const tooltipId = useId()
  return (
    <Box pos="relative" miw={0} ref={area}>
      <Axes count={count} axis={axis} ticks={ticks} />
      <div className={styles.bars} {...pointer}>
        <input
          type="range"
          className={styles.slider}
          min={0}
          max={count - 1}
          step={1}
          aria-label={label}
          aria-valuetext={valueText(day ?? count - 1)}
          aria-describedby={day === null ? undefined : tooltipId}
          {...slider}
        />
        {day !== null && (
          <div
            className={styles.read}
            style={{ left: percent(day, count), width: percent(1, count) }}
          />
        )}
        {children}
      </div>
      <div className={styles.over}>
        {day !== null && tooltip(day, { id: tooltipId, isHeld, ...kept })}
      </div>
    </Box>
  )
}

/** There is room for five digits beside an axis: "20,000", "1.5M". */
const axisText = (value: number, top: number) =>
  top < 100_000 ? formatCount(value) : formatShort(value)

const percent = (index: number, count: number) => `${(100 * index) / count}%`

type AxesProps = Pick<Props, 'count' | 'axis' | 'ticks'>

/** The same frame on paper: nothing is read by pointing at it. */
export function StillPlot({ children, ...axes }: AxesProps & Pick<Props, 'children'>) {
  return (
    <Box pos="relative" miw={0}>
      <Axes {...axes} />
      <div className={styles.bars} data-still>
        {children}
      </div>
    </Box>
  )
}

const Axes = memo(function Axes({ count, axis, ticks }: AxesProps) {
  const top = axis.at(-1) ?? 1
  return (
    <div className={styles.axes} aria-hidden="true">
      {axis.map((value) => (
        <span key={value} className={styles.line} style={{ bottom: `${(100 * value) / top}%` }}>
          <span className={styles.value}>{axisText(value, top)}</span>
        </span>
      ))}
      {ticks.map(({ index, text }) => (
        <span
          key={index}
          className={styles.date}
          data-last={index === count - 1 || undefined}
          style={{ left: percent(index + 0.5, count) }}
        >
          {text}
        </span>
      ))}
    </div>
  )
})

type TooltipProps = Held & {
  /** Its place among all. */
  index: number
  count: number
  isMany?: boolean
  head: ReactNode
  total: ReactNode
  children: ReactNode
}

/** Beside the place that is read, on the side with more room. */
export function PlotTooltip(props: TooltipProps) {
  const { id, index, count, isHeld, onBlur, isMany = false, head, total, children } = props
  return (
    <div
      id={id}
      role="tooltip"
      className={styles.tooltip}
      data-held={isHeld || undefined}
      data-many={isMany || undefined}
      data-side={index < count / 2 ? 'right' : 'left'}
      style={{ '--day': (index + 0.5) / count } as CSSProperties}
      // The keyboard scrolls it, too.
      tabIndex={isHeld && isMany ? 0 : undefined}
      onBlur={onBlur}
    >
      <p className={styles.head}>
        <span>{head}</span>
        <strong>{total}</strong>
      </p>
      <div className={styles.rows}>{children}</div>
      {isMany && !isHeld && <p className={styles.hint}>Click to keep this open and scroll</p>}
    </div>
  )
}

type RowProps = { color: string; isHollow?: boolean; name: string; count: ReactNode }

export function TooltipRow({ color, isHollow = false, name, count }: RowProps) {
  return (
    <p className={styles.row}>
      <Swatch color={color} isHollow={isHollow} />
      <span className={styles.name} dir="auto">
        {name}
      </span>{' '}
      <span style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>{count}</span>
    </p>
  )
}
