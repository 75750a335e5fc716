import type { ReactNode } from 'react'
import styles from './section.module.css'

type Props = { id: string; title: string; lead: string; tinted?: boolean; children: ReactNode }

/** A band of the page with its heading; `id` is what the navigation scrolls to. */
export function Section({ id, title, lead, tinted = false, children }: Props) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className={tinted ? styles.tinted : ''}>
      <div className={styles.inner}>
        <h2 id={`${id}-title`}>{title}</h2>
        <p className={styles.lead}>{lead}</p>
        {children}
      </div>
    </section>
  )
}

type Card = { title: string; text: string }

export function Cards({ cards }: { cards: Card[] }) {
  return (
    <ul className={styles.cards}>
      {cards.map(({ title, text }) => (
        <li key={title}>
          <h3>{title}</h3>
          <p>{text}</p>
        </li>
      ))}
    </ul>
  )
}
