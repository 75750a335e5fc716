import { Select, type SelectProps } from '@mantine/core'
import { useState } from 'react'
import { todaysZone } from '#contract/zone-names.ts'

type Props = Omit<SelectProps, 'value' | 'onChange'> & {
  value?: string
  onChange: (zone: string) => void
}

/** A choice among all time zones. */
export function ZoneSelect({ value = 'UTC', onChange, ...props }: Props) {
  const [all, setAll] = useState<ReturnType<typeof zoneOptions>>()
  const now = new Date()
  const shown = zoneOption(value, now)
  return (
    <Select
      label="Time zone"
      {...props}
      data={all ?? [shown]}
      value={shown.value}
      onChange={(zone) => zone && zone !== shown.value && onChange(zone)}
      onDropdownOpen={() => setAll(zoneOptions(now))}
      searchable
      allowDeselect={false}
      nothingFoundMessage="No time zone found"
      maxDropdownHeight={264}
      styles={{ option: { minHeight: 'var(--finger)' } }}
    />
  )
}

/** A zone as people read it, with its offset at an instant: "Asia/Kolkata (UTC+5:30)". */
export function zoneOption(zone: string, now: Date) {
  const value = todaysZone(zone)
  const name = value.replaceAll('_', ' ')
  const offset = offsetOf(value, now)
  return { value, label: name === offset ? name : `${name} (${offset})` }
}

/** All zones, by name. To ask for every offset takes a phone a while: call it when a list opens. */
function zoneOptions(now: Date) {
  const names = new Set(['UTC', ...Intl.supportedValuesOf('timeZone').map(todaysZone)])
  return [...names].sort().map((zone) => zoneOption(zone, now))
}

function offsetOf(timeZone: string, now: Date): string {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'shortOffset' })
  const part = format.formatToParts(now).find(({ type }) => type === 'timeZoneName')
  return part?.value.replace('GMT', 'UTC') ?? ''
}
