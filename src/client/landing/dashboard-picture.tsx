import styles from './dashboard-picture.module.css'

/** Made by scripts/landing-pictures.ts: of the dashboard in a window, and of the top of it in a phone. */
const wide = { kind: 'wide', widths: [720, 1200, 2000], width: 2000, height: 1375 }
const phone = { kind: 'phone', widths: [390, 780], width: 780, height: 1540 }

/** As wide as the section lets it be. */
const SIZES = '(max-width: 1240px) calc(100vw - 40px), 1200px'

const formats = ['avif', 'webp'] as const
const schemes = ['dark', 'light'] as const
const addresses = (kind: string, scheme: string, widths: number[], format: string) =>
  widths.map((width) => `/pictures/${kind}-${scheme}-${width}.${format} ${width}w`).join(', ')

/** Every picture that a browser may choose from, the first that fits it wins. */
const sources = [phone, wide].flatMap(({ kind, widths, width, height }) =>
  schemes.flatMap((scheme) =>
    formats.map((format) => ({
      type: `image/${format}`,
      media: [
        ...(kind === 'phone' ? ['(max-width: 600px)'] : []),
        ...(scheme === 'dark' ? ['(prefers-color-scheme: dark)'] : []),
      ].join(' and '),
      srcSet: addresses(kind, scheme, widths, format),
      ...{ width, height },
    })),
  ),
)

export function DashboardPicture() {
  return (
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
        alt="The dashboard of a café: how many codes it has and how often they were scanned, the scans of the last 30 days, and the list of its QR codes"
      />
    </picture>
  )
}
