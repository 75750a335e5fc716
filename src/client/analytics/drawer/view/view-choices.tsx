import { Group, Stack, TextInput } from '@mantine/core'
import { X } from 'lucide-react'
import { useState } from 'react'
import { EARLIEST, facets, ranges } from '#contract/analytics/figure-values.ts'
import { DAY_MS } from '#contract/time.ts'
import { dayIn } from '../../../formats.ts'
import styles from '../panel.module.css'
import { filterText, rangeNames } from '../words.ts'
import { Choice } from './choice.tsx'
import { changeView, daysOf, toggled, type View } from './view.ts'

const kinds = [
  { value: 'people', label: 'People' },
  { value: 'bots', label: 'Bots' },
] as const

/** The choices of a view: its time, who is counted, and the filters that are on. */
export function ViewChoices({ view }: { view: View }) {
  return (
    <Group gap="12px 24px" align="flex-start">
      <RangePicker view={view} />
      <Choice
        label="Who"
        options={kinds}
        value={view.kind}
        onChange={(kind) => changeView({ kind })}
      />
      <FilterChips view={view} />
    </Group>
  )
}

const options = ranges.map((value) => ({ value, label: rangeNames[value] }))

/** The visitor's day, as a field takes it. */
const dayOf = (instant: number) => dayIn(undefined, instant)

/** A free range begins as the last seven days. */
const WEEK_MS = 6 * DAY_MS

function RangePicker({ view }: { view: View }) {
  const { range, from, to } = view
  const choose = (chosen: View['range']) => {
    const now = Date.now()
    const days = { from: dayOf(now - WEEK_MS), to: dayOf(now) }
    changeView({ range: chosen, ...(chosen === 'free' && days) })
  }
  return (
    <Stack gap={12}>
      <Choice label="Time" options={options} value={range} onChange={choose} />
      {range === 'free' && <Days from={from ?? ''} to={to ?? ''} />}
    </Stack>
  )
}

/** The days of a free range. The figures follow when both days are whole. */
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
  const on = facets.filter((facet) => filters[facet] !== undefined)
  if (on.length === 0) return null
  return (
    <ul className={styles.chips} aria-label="Filters">
      {on.map((facet) => {
        const value = filters[facet] ?? ''
        const text = filterText(facet, value)
        return (
          <li key={facet}>
            <button
              type="button"
              className={styles.chip}
              aria-label={`Remove the filter ${text}`}
              onClick={() => changeView({ filters: toggled(filters, facet, value) })}
            >
              <bdi>{text}</bdi>
              <X size={14} aria-hidden />
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
