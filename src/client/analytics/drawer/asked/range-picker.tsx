import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { EARLIEST, ranges } from '#contract/analytics/figure-values.ts'
import { DAY_MS } from '#contract/time.ts'
import { dayIn } from '../../../dates.ts'
import styles from '../panel.module.css'
import { rangeNames } from '../words.ts'
import { Choice } from './choice.tsx'
import { daysOf, type View } from './view.ts'
import { changeView } from './view-address.ts'

const options = ranges.map((value) => ({ value, label: rangeNames[value] }))

/** The visitor's day, as a field takes it. */
const dayOf = (instant: number) => dayIn(undefined, instant)

/** A free range begins as the last seven days. */
const WEEK_MS = 6 * DAY_MS

export function RangePicker({ view }: { view: View }) {
  const { range, from, to } = view
  const choose = (chosen: View['range']) => {
    const now = Date.now()
    const days = { from: dayOf(now - WEEK_MS), to: dayOf(now) }
    changeView({ range: chosen, ...(chosen === 'free' && days) })
  }
  return (
    <div className={styles.range}>
      <Choice label="Time" options={options} value={range} onChange={choose} />
      {range === 'free' && <Days from={from ?? ''} to={to ?? ''} />}
    </div>
  )
}

/** A day that is being typed is no range yet: the figures follow when both are whole. */
function Days(known: { from: string; to: string }) {
  const [days, setDays] = useState(known)
  const isWrong = days.from !== '' && days.to !== '' && daysOf(days.from, days.to) === 0
  const change = (part: Partial<typeof days>) => {
    const next = { ...days, ...part }
    setDays(next)
    if (daysOf(next.from, next.to) > 0) changeView({ range: 'free', ...next })
  }
  const today = dayOf(Date.now())
  return (
    <div className={styles.days}>
      <TextInput
        type="date"
        label="First day"
        value={days.from}
        min={EARLIEST}
        max={today}
        onChange={({ currentTarget }) => change({ from: currentTarget.value })}
      />
      <TextInput
        type="date"
        label="Last day"
        value={days.to}
        min={EARLIEST}
        max={today}
        error={isWrong && 'The last day is before the first.'}
        onChange={({ currentTarget }) => change({ to: currentTarget.value })}
      />
    </div>
  )
}
