const asDay = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' })

/** An instant as a day in the visitor's zone, such as "Dec 4, 2026": no order of figures to mistake. */
export function formatDay(instant: string | Date): string {
  return asDay.format(new Date(instant))
}
