/** How many scans a UTC day (days since 1970-01-01) brings on average, before weekday and weather. */
export type Course = (day: number) => number

export const steady =
  (perDay: number): Course =>
  () =>
    perDay

/** From one figure at a day to another, in even steps; as it then is from there on. */
export function changing(from: [day: number, perDay: number], to: [day: number, perDay: number]) {
  return (day: number) => {
    const way = Math.min(Math.max((day - from[0]) / (to[0] - from[0]), 0), 1)
    return from[1] + way * (to[1] - from[1])
  }
}

/** A poster for something that happens on some days: more and more look, then hardly anyone. */
export function event(first: number, peak: number, days = 1): Course {
  const last = first + days - 1
  return (day) => {
    if (day < first) return 0.5 * peak * Math.exp((day - first) / 5)
    return day <= last ? peak : 0.08 * peak * Math.exp((last - day) / 3)
  }
}

/** Something sent out on these days: most look at once, half as many two days later. */
export function mailing(days: number[], peak: number): Course {
  return (day) =>
    days
      .filter((sent) => sent <= day)
      .reduce((sum, sent) => sum + peak * 0.5 ** ((day - sent) / 2), 0)
}

export const together =
  (...courses: Course[]): Course =>
  (day) =>
    courses.reduce((sum, course) => sum + course(day), 0)
