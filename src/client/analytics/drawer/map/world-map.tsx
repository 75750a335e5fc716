import { Box } from '@mantine/core'
import { type MouseEvent, type PointerEvent, useState } from 'react'
import type { Breakdown } from '#contract/analytics/figures.ts'
import { counted } from '../../../formats.ts'
import { useLatePart } from '../../../ui/dialog/lazy-import.ts'
import styles from '../figures.module.css'
import { shadeStyle } from '../figures.ts'
import { changeView, toggled, type View } from '../view/view.ts'
import { nounOf, valueText } from '../words.ts'

const loadShapes = () => import('./world-shapes.json').then((module) => module.default)

type Props = { rows: Breakdown['rows']; view: View }

/** The countries, the darker the more scans. The list below says the same, and takes the keyboard. */
export function WorldMap({ rows, view }: Props) {
  const world = useLatePart(loadShapes, true)
  const [read, setRead] = useState<string | null>(null)
  if (world instanceof Error) return null
  if (!world) return <Box mb="calc(8px + 1.5em)" style={{ aspectRatio: '2000 / 869' }} />
  const scansOf = new Map(rows.map(({ value, scans }) => [value, scans]))
  const most = Math.max(0, ...scansOf.values())
  const codeOf = ({ target }: PointerEvent | MouseEvent) =>
    target instanceof SVGElement ? (target.dataset.code ?? null) : null
  const about = (code: string) => ({
    'data-code': code,
    'data-scanned': scansOf.has(code) || undefined,
    'data-chosen': view.filters.country === code || undefined,
    style: shadeStyle(scansOf.get(code) ?? 0, most),
  })
  return (
    <div className={styles.map} aria-hidden="true">
      <svg
        aria-hidden="true"
        viewBox={`0 0 ${world.width} ${world.height}`}
        onPointerOver={(event) => setRead(codeOf(event))}
        onPointerLeave={() => setRead(null)}
        onClick={(event) => {
          const code = codeOf(event)
          if (!code || !scansOf.has(code)) return
          changeView({ filters: toggled(view.filters, 'country', code) })
        }}
      >
        {Object.entries(world.shapes).map(([code, d]) => (
          <path key={code} d={d} {...about(code)} />
        ))}
        {Object.entries(world.dots).map(([code, [cx, cy]]) =>
          scansOf.has(code) ? <circle key={code} cx={cx} cy={cy} r={9} {...about(code)} /> : null,
        )}
      </svg>
      <Box mih="1.5em" c="dimmed" fz="sm">
        {read &&
          `${valueText('country', read)}: ${counted(scansOf.get(read) ?? 0, nounOf(view.kind))}`}
      </Box>
    </div>
  )
}
