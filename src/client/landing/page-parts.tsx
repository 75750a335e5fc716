import type { ReactNode } from 'react'
import styles from './page-parts.module.css'

/** The form of a new account. Only 'Login' is for those who have one. */
export const SIGN_UP = '/api/login?new'

type ButtonLinkProps = { href?: string; quiet?: boolean; wide?: boolean; children: ReactNode }

/** A link that looks like a button, so that it works without script. Its style is in landing.css. */
export function ButtonLink({ href = SIGN_UP, quiet, wide, children }: ButtonLinkProps) {
  const classes = ['button-link', quiet ? 'quiet' : 'strong', ...(wide ? ['wide'] : [])]
  return (
    <a href={href} className={classes.join(' ')}>
      {children}
    </a>
  )
}

type SectionProps = {
  id: string
  title: string
  lead: string
  tinted?: boolean
  children: ReactNode
}

/** A band of the page with its heading. The navigation scrolls to `id`. */
export function Section({ id, title, lead, tinted = false, children }: SectionProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className={tinted ? styles.tinted : ''}>
      <div className={`${styles.inner} band`}>
        <div className={styles.head}>
          <h2 id={`${id}-title`}>{title}</h2>
          <p className="soft">{lead}</p>
        </div>
        {children}
      </div>
    </section>
  )
}

/** `tiles` is the card's picture: `#` is a square tile, `o` a round one, anything else is left out. */
export type Card = { title: string; text: string; tiles: readonly string[] }

export function Cards({ cards }: { cards: Card[] }) {
  return (
    <ul className={styles.cards}>
      {cards.map(({ title, text, tiles }) => (
        <li key={title} className="panel">
          <TilePicture tiles={tiles} />
          <h3>{title}</h3>
          <p className="soft">{text}</p>
        </li>
      ))}
    </ul>
  )
}

/** As in the mark: tiles of 4.8, gaps of 0.8. */
const TILE = 4.8
const PITCH = 5.6

function TilePicture({ tiles }: Pick<Card, 'tiles'>) {
  const width = (tiles[0]?.length ?? 0) * PITCH - (PITCH - TILE)
  const height = tiles.length * PITCH - (PITCH - TILE)
  const places = tiles.flatMap((row, y) => [...row].map((kind, x) => ({ kind, x, y })))
  const outline = (wanted: string, shape: (x: number, y: number) => string) =>
    places
      .filter(({ kind }) => kind === wanted)
      .map(({ x, y }) => shape(x * PITCH, y * PITCH))
      .join('')
  return (
    <svg className={styles.picture} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <path className={styles.squares} d={outline('#', square)} />
      <path className={styles.circles} d={outline('o', circle)} />
    </svg>
  )
}

const short = (value: number) => String(Math.round(10 * value) / 10)

/** Half a unit smaller on all sides: its outline with round corners is drawn there. */
const square = (x: number, y: number) => `M${short(x + 0.5)} ${short(y + 0.5)}h3.8v3.8h-3.8z`

const circle = (x: number, y: number) =>
  `M${short(x)} ${short(y + TILE / 2)}a2.4 2.4 0 0 1 4.8 0a2.4 2.4 0 0 1-4.8 0z`
