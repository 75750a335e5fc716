import { Skeleton } from '@mantine/core'
import { type ReactNode, type Ref, useId } from 'react'
import { isRefusal, serverMessageOf } from '../../api.ts'
import { LoadFailure } from '../../ui/messages/failure-alert.tsx'
import { useSignedOut } from '../../ui/sign-in-again.ts'
import type { Kept } from './keep/kept.ts'
import { SaveMenu } from './keep/save-menu.tsx'
import styles from './panel.module.css'

/** What a query says of itself. */
type Answer = {
  data: unknown
  error: Error | null
  isPlaceholderData: boolean
  refetch: () => unknown
}

type Props = {
  ref?: Ref<HTMLElement>
  title: string
  /** How its figures are counted. */
  definition: ReactNode
  /** Beside the title. */
  tools?: ReactNode
  /** What can be saved of it. */
  kept?: Kept | undefined
  answer: Answer
  /** As wide as two others. */
  isWide?: boolean | undefined
  children: ReactNode
}

/** One part of the drawer. What was read once stays when a later reading fails. Figures of the former view stay, fainter, until the next ones have come. */
export function Card({ ref, title, definition, tools, kept, answer, ...more }: Props) {
  const { isWide, children } = more
  const { data, error, isPlaceholderData, refetch } = answer
  const id = useId()
  useSignedOut(error)
  return (
    <section ref={ref} className={styles.card} data-wide={isWide || undefined} aria-labelledby={id}>
      <div className={styles.cardHead}>
        <h3 id={id} className={styles.title}>
          {title}
        </h3>
        {tools && <div className={styles.tools}>{tools}</div>}
        <SaveMenu kept={kept} isFormer={isPlaceholderData} />
      </div>
      <p className={styles.definition}>{definition}</p>
      {isRefusal(error, 'range_too_long') ? (
        <p className={styles.definition}>{serverMessageOf(error)}</p>
      ) : error && data === undefined ? (
        <LoadFailure what={title} error={error} onRetry={refetch} />
      ) : data === undefined ? (
        <Skeleton className={styles.waiting} />
      ) : (
        <div data-former={isPlaceholderData || undefined} className={styles.content}>
          {children}
        </div>
      )}
    </section>
  )
}
