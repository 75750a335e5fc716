import { VisuallyHidden } from '@mantine/core'
import type { CSSProperties, ReactNode } from 'react'
import type { TagColour } from '#contract/codes/code-values.ts'
import { useTagColours } from './queries.ts'
import styles from './tags.module.css'

type Props = { name: string; colour: TagColour; children?: ReactNode }

/** A tag in its colour. */
export function TagChip({ name, colour, children }: Props) {
  return (
    <span
      className={styles.tag}
      style={{ '--tag': `var(--${colour})` } as CSSProperties}
      title={name}
    >
      <span>
        <bdi>{name}</bdi>
      </span>
      {children}
    </span>
  )
}

/** Tags that a row shows; the others are behind its name. */
const SHOWN = 3

/** The tags of a code in the list. */
export function TagChips({ tags }: { tags: readonly string[] }) {
  const colourOf = useTagColours()
  // One more needs no more room than the number that would say so.
  const shown = tags.length === SHOWN + 1 ? tags : tags.slice(0, SHOWN)
  const hidden = tags.slice(shown.length)
  return (
    <ul className={styles.tags} aria-label="Tags">
      {shown.map((name) => (
        <li key={name}>
          <TagChip name={name} colour={colourOf(name)} />
        </li>
      ))}
      {hidden.length > 0 && (
        <li className={styles.more} title={hidden.join(', ')}>
          +{hidden.length}
          <VisuallyHidden> more</VisuallyHidden>
        </li>
      )}
    </ul>
  )
}
