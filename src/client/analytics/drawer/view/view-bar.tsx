import { Group, Stack, TextInput } from '@mantine/core'
import { X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { EARLIEST, facets, ranges } from '#contract/analytics/figure-values.ts'
import { DAY_MS } from '#contract/time.ts'
import { choicesOf, counted, dayIn } from '../../../formats.ts'
import panel from '../panel.module.css'
import { type Asked, useFigures, useRuledCodes } from '../queries.ts'
import { filterText, nounOf, rangeNames } from '../words.ts'
import { Choice } from './choice.tsx'
import { FilterMenu } from './filter-menu.tsx'
import { changeView, daysOf, toggled, type View } from './view.ts'
import styles from './view-bar.module.css'

const kinds = choicesOf(['people', 'bots'])

/** The range, who is counted, the filters that are on, and the totals. It stays in view. */
export function ViewBar(asked: Asked) {
  const { view } = asked
  return (
    <>
      <Stack gap={6} mx={-16} px={16} py={8} className={styles.bar}>
        <Choices view={view} />
        <Group gap="8px 12px" mih={32}>
          <FilterMenu {...asked} />
          <FilterChips view={view} />
          <Totals {...asked} />
        </Group>
      </Stack>
      {view.range === 'free' && <Days from={view.from ?? ''} to={view.to ?? ''} />}
    </>
  )
}

const options = ranges.map((value) => ({ value, label: rangeNames[value] }))

/** The visitor's day, as a field takes it. */
const dayOf = (instant: number) => dayIn(undefined, instant)

/** A free range begins as the last seven days. */
const WEEK_MS = 6 * DAY_MS

/** One line, which a finger moves where it is wider than the screen. */
function Choices({ view: { range, kind } }: { view: View }) {
  const line = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another range is perhaps out of sight
  useEffect(() => {
    const chosen = line.current?.querySelector(':checked')
    chosen?.parentElement?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [range])
  const choose = (chosen: View['range']) => {
    const now = Date.now()
    const days = { from: dayOf(now - WEEK_MS), to: dayOf(now) }
    changeView({ range: chosen, ...(chosen === 'free' && days) })
  }
  return (
    <div className={styles.choices} ref={line}>
      <Choice label="Range" options={options} value={range} onChange={choose} />
      <Choice
        label="Who"
        options={kinds}
        value={kind}
        onChange={(chosen) => changeView({ kind: chosen })}
      />
    </div>
  )
}

/** The days of a free range. The analytics follow when both days are whole. */
function Days(known: { from: string; to: string }) {
  const [days, setDays] = useState(known)
  const isWrong = days.from !== '' && days.to !== '' && daysOf(days.from, days.to) === 0
  const change = (part: Partial<typeof days>) => {
    const next = { ...days, ...part }
    setDays(next)
    if (daysOf(next.from, next.to) > 0) changeView({ range: 'free', ...next })
  }
  return (
    <Group gap={12} align="flex-start">
      {(['from', 'to'] as const).map((name) => (
        <TextInput
          key={name}
          type="date"
          label={name === 'from' ? 'First day' : 'Last day'}
          value={days[name]}
          min={EARLIEST}
          max={dayOf(Date.now())}
          error={name === 'to' && isWrong && 'The last day is before the first.'}
          onChange={({ currentTarget }) => change({ [name]: currentTarget.value })}
        />
      ))}
    </Group>
  )
}

/** The filters that are on. Each is taken out by a click. */
function FilterChips({ view: { filters } }: { view: View }) {
  const codes = useRuledCodes()
  const on = facets.filter((facet) => filters[facet] !== undefined)
  if (on.length === 0) return null
  return (
    <ul className={styles.chips} aria-label="Filters">
      {on.map((facet) => {
        const value = filters[facet] ?? ''
        const text = filterText(facet, value, codes)
        return (
          <li key={facet}>
            <button
              type="button"
              className={styles.chip}
              aria-label={`Remove the filter ${text}`}
              onClick={() => changeView({ filters: toggled(filters, facet, value) })}
            >
              <bdi>{text}</bdi>
              <X size={14} />
            </button>
          </li>
        )
      })}
      {on.length > 1 && (
        <li>
          <button type="button" className={styles.chip} onClick={() => changeView({ filters: {} })}>
            Remove all
          </button>
        </li>
      )}
    </ul>
  )
}

/** They are said aloud elsewhere, once for each view. */
function Totals(asked: Asked) {
  const { data, isPlaceholderData } = useFigures(asked)
  if (!data) return null
  return (
    <p className={`${panel.answer} ${styles.totals}`} data-former={isPlaceholderData || undefined}>
      <strong>{counted(data.scans, nounOf(asked.view.kind))}</strong>
      {data.visitors !== null && <span>{counted(data.visitors, 'visitor')}</span>}
    </p>
  )
}
