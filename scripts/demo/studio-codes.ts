import type { Calendar } from './calendar.ts'
import { event, steady } from './courses.ts'
import { type PlannedCode, preset } from './planned-code.ts'
import { rhythms } from './rhythms.ts'

/** What a yoga teacher on the free plan has printed: each code ends 14 days after it is first saved. */
export function studioCodes(calendar: Calendar): PlannedCode[] {
  const { home, street } = rhythms
  return [
    {
      name: 'Open day: poster',
      url: 'https://example.org/studio/open-day',
      created: calendar.ago(20),
      scanned: { course: event(calendar.ago(10), 24), rhythm: street, by: 'neighbours' },
    },
    {
      name: 'Class timetable',
      url: 'https://example.org/studio/timetable',
      look: preset('Purple', { style: 'rounded' }),
      created: calendar.ago(12),
      scanned: { course: steady(7), rhythm: home, by: 'neighbours' },
    },
    {
      name: 'Trial lesson: flyer',
      url: 'https://example.org/studio/trial-lesson',
      look: preset('Ocean'),
      created: calendar.ago(1),
    },
  ]
}
