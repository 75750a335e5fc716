/** The day and hour in a time zone */
export type LocalTime = { date: string; hour: number }

/** The hours in which notices are sent: from the first up to but not including the last */
const CIVIL = { from: 9, to: 20 }

const formats = new Map<string, Intl.DateTimeFormat>()

/** The format of a zone. There are some 450 zones, so all are kept. An unknown one counts as UTC. */
function formatOf(zone: string | null): Intl.DateTimeFormat {
  const name = zone ?? 'UTC'
  const known = formats.get(name)
  if (known) return known
  try {
    const format = new Intl.DateTimeFormat('en-CA', {
      timeZone: name,
      hourCycle: 'h23',
      hour: '2-digit',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    })
    formats.set(name, format)
    return format
  } catch {
    return formatOf('UTC')
  }
}

/** The local time of an instant in an IANA zone. */
export function localTime(instant: Date | number, zone: string | null): LocalTime {
  const parts = formatOf(zone).formatToParts(instant)
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? ''
  return {
    date: `${part('year')}-${part('month')}-${part('day')}`,
    hour: Number(part('hour')),
  }
}

export function isCivilHour({ hour }: LocalTime): boolean {
  return hour >= CIVIL.from && hour < CIVIL.to
}

/** The zone as Intl takes it. */
export const knownZone = (zone: string | null) => formatOf(zone).resolvedOptions().timeZone
