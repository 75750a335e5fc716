import type { ReactNode } from 'react'
import styles from './section.module.css'
import { TilePicture } from './tile-picture.tsx'
import type { TilePictureName } from './tile-pictures.ts'

type Props = { id: string; title: string; lead: string; tinted?: boolean; children: ReactNode }

/** A band of the page with its heading; `id` is what the navigation scrolls to. */
export function Section({ id, title, lead, tinted = false, children }: Props) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className={tinted ? styles.tinted : ''}>
      <div className={styles.inner}>
        <div className={styles.head}>
          <h2 id={`${id}-title`}>{title}</h2>
          <p className={styles.lead}>{lead}</p>
        </div>
        {children}
      </div>
    </section>
  )
}

export type Card = { title: string; text: string; picture: TilePictureName }

export function Cards({ cards }: { cards: Card[] }) {
  return (
    <ul className={styles.cards}>
      {cards.map(({ title, text, picture }) => (
        <li key={title}>
          <TilePicture name={picture} />
          <h3>{title}</h3>
          <p>{text}</p>
        </li>
      ))}
    </ul>
  )
}
