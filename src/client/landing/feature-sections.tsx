import type { ReactNode } from 'react'
import styles from './page-parts.module.css'
import { type Card, Cards, Section } from './page-parts.tsx'

const features: Card[] = [
  {
    title: 'Multiple QR Styles',
    text: 'Classic or Rounded, eight color presets, or any two colors you choose.',
    tiles: ['#######', '#.....#', '#.ooo.#', '#.ooo.#', '#.ooo.#', '#.....#', '#######'],
  },
  {
    title: 'Real-time Analytics',
    text: 'Scans, locations, devices, and times, from the very first scan.',
    tiles: ['......o', '......#', '....o.#', '....#.#', '..o.#.#', '..#.#.#', 'o.#.#.#'],
  },
  {
    title: 'Export Options',
    text: 'Download any code as PNG, JPG, or SVG, or all three in one ZIP.',
    tiles: ['...o...', '...o...', '.o.o.o.', '..ooo..', '#..o..#', '#.....#', '#######'],
  },
]

const analytics: Card[] = [
  {
    title: 'Scan Analytics',
    text: 'How many times each code was scanned, in total and this month.',
    tiles: ['##...##', '#.....#', '..o.o..', '...o...', '..o.o..', '#.....#', '##...##'],
  },
  {
    title: 'Geographic Distribution',
    text: 'Which countries your scans come from.',
    tiles: ['..###..', '.#...#.', '#..o..#', '#.ooo.#', '.#.o.#.', '..#.#..', '...#...'],
  },
  {
    title: 'Device Analytics',
    text: 'Whether people scan with a phone, tablet, or computer.',
    tiles: ['.#####.', '.#...#.', '.#...#.', '.#...#.', '.#...#.', '.#.o.#.', '.#####.'],
  },
  {
    title: 'Time Analysis',
    text: 'The last 30 days, day by day and code by code.',
    tiles: ['..###..', '.#.o.#.', '#..o..#', '#..oo.#', '#.....#', '.#...#.', '..###..'],
  },
]

/** Made by scripts/landing-pictures.ts: the whole dashboard, and the top of it on a phone. */
const wide = { kind: 'wide', widths: [720, 1200, 2000], width: 2000, height: 1375 }
const phone = { kind: 'phone', widths: [390, 780], width: 780, height: 1540 }

/** As wide as the section lets it be. */
const SIZES = '(max-width: 1240px) calc(100vw - 40px), 1200px'

const formats = ['avif', 'webp'] as const
const schemes = ['dark', 'light'] as const
const addresses = (kind: string, scheme: string, widths: number[], format: string) =>
  widths.map((width) => `/pictures/${kind}-${scheme}-${width}.${format} ${width}w`).join(', ')

/** The browser takes the first source that fits. */
const sources = [phone, wide].flatMap(({ kind, widths, width, height }) =>
  schemes.flatMap((scheme) =>
    formats.map((format) => ({
      type: `image/${format}`,
      media: [
        ...(kind === 'phone' ? ['(max-width: 600px)'] : []),
        ...(scheme === 'dark' ? ['(prefers-color-scheme: dark)'] : []),
      ].join(' and '),
      srcSet: addresses(kind, scheme, widths, format),
      width,
      height,
    })),
  ),
)

/** The specification's sections below the hero, in its order: the pricing comes after the features. */
export function FeatureSections({ pricing, demo }: { pricing: ReactNode; demo: ReactNode }) {
  return (
    <>
      <Section
        id="features"
        tinted
        title="Everything a printed code needs"
        lead="Create it, print it, and stay in control after it’s out there."
      >
        <Cards cards={features} />
      </Section>
      {pricing}
      <Section
        id="dashboard"
        tinted
        title="Powerful Dashboard"
        lead="Your codes, scans, and downloads in one place."
      >
        {demo}
        <picture>
          {sources.map(({ media, ...source }) => (
            <source key={source.srcSet} {...source} media={media || undefined} sizes={SIZES} />
          ))}
          <img
            className={styles.shot}
            src="/pictures/wide-light-1200.webp"
            width={wide.width}
            height={wide.height}
            loading="lazy"
            decoding="async"
            alt="A café’s dashboard with its total codes and scans, a chart of the last 30 days, and a list of its QR codes"
          />
        </picture>
      </Section>
      <Section
        id="analytics"
        title="Detailed Analytics"
        lead="See how your codes perform once they’re out there."
      >
        <Cards cards={analytics} />
      </Section>
    </>
  )
}
