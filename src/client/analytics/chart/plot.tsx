import { Box } from '@mantine/core'
import { type CSSProperties, type FocusEventHandler, type ReactNode, type Ref, useId } from 'react'
import { formatCount, formatShort } from '../../formats.ts'
import { Swatch } from './chart-legend.tsx'
import { axisTo } from './chart-series.ts'
import { PITCH, type Tick } from './drawing.ts'
import { useReadDay } from './read-day.ts'
import styles from './scans-chart.module.css'

type FrameProps = {
  ref?: Ref<HTMLDivElement>
  /** Places from left to right, such as days. */
  count: number
  /** The axis goes to this value, or a little above it. */
  most: number
  ticks: readonly Tick[]
  /** Draws between the axes, given the height of the axis. */
  children: (top: number) => ReactNode
}

/** The axes of a chart. */
export function Frame({ ref, count, most, ticks, children }: FrameProps) {
  return (
    <Box pos="relative" miw={0} h="100%" ref={ref}>
      <div className={styles.area}>
        <Axes count={count} most={most} ticks={ticks} />
        {children(axisTo(most).at(-1) ?? 1)}
      </div>
    </Box>
  )
}

/** The texts of a place that is read. */
export type Reading = { head: string; total: string; rows: () => ReadRow[] }
/** `key` is of no other row: a code may have the name of the sum of others. */
type ReadRow = { key: string; color: string; isHollow?: boolean; name: string; count: string }

type Props = Omit<FrameProps, 'ref'> & {
  /** The name of a place: "Day". */
  label: string
  read: (index: number) => Reading | undefined
}

/**
 * A chart that is read. A pointer reads the place that it is at, a click or a tap keeps that place open;
 * the keyboard and assistive technology move a slider over the places.
 */
export function Plot({ count, label, read, children, ...axes }: Props) {
  const { area, day, isHeld, pointer, slider, tooltip } = useReadDay(count)
  const id = useId()
  const reading = read(day ?? count - 1)
  return (
    <Frame ref={area} count={count} {...axes}>
      {(top) => (
        <>
          <div className={styles.bars} {...pointer}>
            <input
              type="range"
              className={styles.slider}
              min={0}
              max={count - 1}
              step={1}
              aria-label={label}
              aria-valuetext={reading && `${reading.head}: ${reading.total}`}
              aria-describedby={day === null ? undefined : id}
              {...slider}
            />
            {day !== null && (
              <div
                className={styles.read}
                style={{ left: percent(day, count), width: percent(1, count) }}
              />
            )}
            {children(top)}
          </div>
          {day !== null && reading && (
            <Tooltip
              id={id}
              place={(day + 0.5) / count}
              isHeld={isHeld}
              {...reading}
              {...tooltip}
            />
          )}
        </>
      )}
    </Frame>
  )
}

/** There is room for five digits beside an axis: "20,000", "1.5M". */
const axisText = (value: number, top: number) =>
  top < 100_000 ? formatCount(value) : formatShort(value)

const percent = (index: number, count: number) => `${(100 * index) / count}%`

type AxesProps = Pick<FrameProps, 'count' | 'most' | 'ticks'>

function Axes({ count, most, ticks }: AxesProps) {
  const axis = axisTo(most)
  const top = axis.at(-1) ?? 1
  return (
    <Box c="dimmed" fz="xs" lh={1} aria-hidden="true">
      {axis.map((value) => (
        <span key={value} className={styles.line} style={{ bottom: percent(value, top) }}>
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
    </Box>
  )
}

type CanvasProps = { count: number; top: number; children: ReactNode }

/** A drawing as wide as its places and as high as the axis, whatever its size on the page. */
export function Canvas({ count, top, children }: CanvasProps) {
  return (
    <svg
      className={styles.drawing}
      viewBox={`0 0 ${count * PITCH} ${top}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {children}
    </svg>
  )
}

/** More rows than this stand in two columns where there is room. */
const COLUMN_MAX = 9

type TooltipProps = Reading & {
  id: string
  place: number
  isHeld: boolean
  onBlur: FocusEventHandler
}

/** Beside the place that is read, from 0 to 1, on the side with more room. A held one can be scrolled. */
function Tooltip({ id, place, isHeld, onBlur, head, total, ...reading }: TooltipProps) {
  const rows = reading.rows()
  const isMany = rows.length > COLUMN_MAX
  return (
    <div
      id={id}
      role="tooltip"
      className={styles.tooltip}
      data-held={isHeld || undefined}
      data-many={isMany || undefined}
      data-side={place <= 0.5 ? 'right' : 'left'}
      style={{ '--day': place } as CSSProperties}
      // The keyboard scrolls it, too.
      tabIndex={isHeld && isMany ? 0 : undefined}
      onBlur={onBlur}
    >
      <p className={styles.head}>
        <span>{head}</span>
        <strong>{total}</strong>
      </p>
      <div className={styles.rows}>
        {rows.map(({ key, color, isHollow, name, count }) => (
          <p key={key} className={styles.row}>
            <Swatch color={color} isHollow={isHollow} />
            <span className={styles.name} dir="auto">
              {name}
            </span>{' '}
            <span style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>
              {count}
            </span>
          </p>
        ))}
      </div>
      {isMany && !isHeld && <p className={styles.hint}>Click to keep this open and scroll</p>}
    </div>
  )
}
