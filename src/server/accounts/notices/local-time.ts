/** A day and hour as the clock on somebody's wall shows them. */
export type LocalTime = { date: string; hour: number }

/** Hours in which a mail disturbs nobody: from the first up to but not including the last. */
const CIVIL = { from: 9, to: 20 }

const kept = new Map<string, Intl.DateTimeFormat>()

/** A zone that is not known counts as UTC. There are some 450, so their formats are kept. */
function clockOf(zone: string | null): Intl.DateTimeFormat {
  const name = zone ?? 'UTC'
  const known = kept.get(name)
  if (known) return known
  try {
    const clock = new Intl.DateTimeFormat('en-CA', {
      ...{ timeZone: name, hourCycle: 'h23', hour: '2-digit' },
      ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
    })
    kept.set(name, clock)
    return clock
  } catch {
    return clockOf('UTC')
  }
}

/** The local time of an instant in an IANA zone. */
export function localTime(instant: Date | number, zone: string | null): LocalTime {
  const parts = clockOf(zone).formatToParts(instant)
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? ''
  return {
    date: `${part('year')}-${part('month')}-${part('day')}`,
    hour: Number(part('hour')),
  }
}

export function isCivilHour({ hour }: LocalTime): boolean {
  return hour >= CIVIL.from && hour < CIVIL.to
}

/** A day in words, such as Wednesday, November 25. */
export function dayInWords(instant: number, zone: string | null): string {
  const timeZone = clockOf(zone).resolvedOptions().timeZone
  return new Intl.DateTimeFormat('en', {
    ...{ weekday: 'long', month: 'long', day: 'numeric', timeZone },
  }).format(instant)
}

/** A day and its time in words, with the zone. */
export function timeInWords(instant: number, zone: string | null): string {
  const timeZone = clockOf(zone).resolvedOptions().timeZone
  return new Intl.DateTimeFormat('en', {
    ...{ weekday: 'long', month: 'long', day: 'numeric', timeZone },
    ...{ hour: 'numeric', minute: '2-digit', timeZoneName: 'short' },
  }).format(instant)
}
