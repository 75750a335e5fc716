import { todaysZone } from '#contract/zone-names.ts'

/** A zone as people read it, with its offset at an instant: "Asia/Kolkata (UTC+5:30)". */
export function zoneOption(zone: string, now: Date) {
  const value = todaysZone(zone)
  const name = value.replaceAll('_', ' ')
  const offset = offsetOf(value, now)
  return { value, label: name === offset ? name : `${name} (${offset})` }
}

/** All zones, by name. To ask for every offset takes a phone a while: call it when a list opens. */
export function zoneOptions(now: Date) {
  const names = new Set(['UTC', ...Intl.supportedValuesOf('timeZone').map(todaysZone)])
  return [...names].sort().map((zone) => zoneOption(zone, now))
}

function offsetOf(timeZone: string, now: Date): string {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'shortOffset' })
  const part = format.formatToParts(now).find(({ type }) => type === 'timeZoneName')
  return part?.value.replace('GMT', 'UTC') ?? ''
}
