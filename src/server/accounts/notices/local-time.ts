import { DateTime, IANAZone } from 'luxon'

/** The day and hour in a time zone */
type LocalTime = { date: string; hour: number }

/** The hours in which notices are sent: from the first up to but not including the last */
const CIVIL = { from: 9, to: 20 }

/** The local time of an instant in an IANA zone. */
export function localTime(instant: Date | number, zone: string | null): LocalTime {
  const here = DateTime.fromMillis(Number(instant), { zone: knownZone(zone) })
  return { date: here.toFormat('yyyy-MM-dd'), hour: here.hour }
}

export function isCivilHour({ hour }: LocalTime): boolean {
  return hour >= CIVIL.from && hour < CIVIL.to
}

/** The zone; UTC without one, and for one that another version of Intl knew. */
export const knownZone = (zone: string | null) =>
  zone !== null && IANAZone.isValidZone(zone) ? zone : 'UTC'
