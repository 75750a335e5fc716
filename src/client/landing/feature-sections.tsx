import type { ReactNode } from 'react'
import { DashboardPicture } from './dashboard-picture.tsx'
import { type Card, Cards, Section } from './section.tsx'

const features: Card[] = [
  {
    title: 'Multiple QR Styles',
    picture: 'finderPattern',
    text: 'Classic or rounded modules, eight colour presets, and any two colours of your own.',
  },
  {
    title: 'Real-time Analytics',
    picture: 'bars',
    text: 'Scans, locations, devices and times, counted from the first scan on.',
  },
  {
    title: 'Export Options',
    picture: 'download',
    text: 'Download every code as PNG, JPG or SVG, or all of them at once.',
  },
]

const analytics: Card[] = [
  {
    title: 'Scan Analytics',
    picture: 'viewfinder',
    text: 'How often each code was scanned, in total and this month.',
  },
  {
    title: 'Geographic Distribution',
    picture: 'place',
    text: 'The countries your codes are scanned in.',
  },
  {
    title: 'Device Analytics',
    picture: 'phone',
    text: 'Phone, tablet or computer: what people scan with.',
  },
  {
    title: 'Time Analysis',
    picture: 'clock',
    text: 'The last 30 days, day by day and code by code.',
  },
]

/** Everything below the hero; the pricing stands where the specification has it. */
export function FeatureSections({ pricing }: { pricing: ReactNode }) {
  return (
    <>
      <Section
        id="features"
        tinted
        title="Everything a printed code needs"
        lead="Make it, print it, and stay in charge of it afterwards."
      >
        <Cards cards={features} />
      </Section>
      {pricing}
      <Section
        id="dashboard"
        tinted
        title="Powerful Dashboard"
        lead="All codes, their scans and their downloads in one place."
      >
        <DashboardPicture />
      </Section>
      <Section
        id="analytics"
        title="Detailed Analytics"
        lead="Know what your codes do once they hang on the wall."
      >
        <Cards cards={analytics} />
      </Section>
    </>
  )
}
