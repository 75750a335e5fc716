import type { ReactNode } from 'react'
import styles from './feature-sections.module.css'
import { Cards, Section } from './section.tsx'

const features = [
  {
    title: 'Multiple QR Styles',
    text: 'Classic or rounded modules, eight colour presets, and any two colours of your own.',
  },
  {
    title: 'Real-time Analytics',
    text: 'Scans, locations, devices and times, counted from the first scan on.',
  },
  {
    title: 'Export Options',
    text: 'Download every code as PNG, JPG or SVG, or all of them at once.',
  },
]

const analytics = [
  { title: 'Scan Analytics', text: 'How often each code was scanned, in total and this month.' },
  { title: 'Geographic Distribution', text: 'The countries your codes are scanned in.' },
  { title: 'Device Analytics', text: 'Phone, tablet or computer: what people scan with.' },
  { title: 'Time Analysis', text: 'The last 30 days, day by day and code by code.' },
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
        <picture>
          <source srcSet="/dashboard-dark.webp" media="(prefers-color-scheme: dark)" />
          <img
            className={styles.shot}
            src="/dashboard-light.webp"
            width={1280}
            height={720}
            loading="lazy"
            alt="The dashboard: totals of codes and scans, and the table of QR codes"
          />
        </picture>
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
