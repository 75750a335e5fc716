import { Group, Skeleton, Stack, Title } from '@mantine/core'
import { useIntersection } from '@mantine/hooks'
import { type ComponentProps, type ReactNode, type Ref, useId } from 'react'
import { isRefusal, serverMessageOf } from '../../api.ts'
import { LoadFailure } from '../../ui/messages/failure-alert.tsx'
import { useSignedOut } from '../../ui/messages/sign-in-again.ts'
import type { Kept } from './download/kept.ts'
import { SaveMenu } from './download/save-menu.tsx'
import styles from './panel.module.css'

/** The state of a query. */
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
  /** The card as a file. */
  kept?: Kept | undefined
  /** The query of its figures. Missing if the card has them already. */
  answer?: Answer
  /** As wide as two others. */
  isWide?: boolean | undefined
  children: ReactNode
}

const READ: Answer = { data: true, error: null, isPlaceholderData: false, refetch: () => {} }

/** One part of the drawer. Figures that were read once stay when a later reading fails. Figures of the former view stay, fainter, until the next ones have come. */
export function Card({ ref, title, definition, tools, kept, ...more }: Props) {
  const { answer = READ, isWide, children } = more
  const { data, error, isPlaceholderData, refetch } = answer
  const id = useId()
  useSignedOut(error)
  return (
    <section ref={ref} className={styles.card} data-wide={isWide || undefined} aria-labelledby={id}>
      <Group gap="8px 16px">
        <CardTitle id={id} flex={1}>
          {title}
        </CardTitle>
        {tools && <div className={styles.tools}>{tools}</div>}
        <SaveMenu kept={kept} isFormer={isPlaceholderData} />
      </Group>
      <p className={styles.definition}>{definition}</p>
      {isRefusal(error, 'range_too_long') ? (
        <p className={styles.definition}>{serverMessageOf(error)}</p>
      ) : error && data === undefined ? (
        <LoadFailure what={title} reading={{ error, refetch }} />
      ) : data === undefined ? (
        <Skeleton h={220} className={styles.waiting} />
      ) : (
        <Stack gap={0} data-former={isPlaceholderData || undefined} className={styles.answer}>
          {children}
        </Stack>
      )}
    </section>
  )
}

export const CardTitle = (props: ComponentProps<typeof Title>) => (
  <Title order={3} fz="lg" lh={1.3} textWrap="balance" {...props} />
)

/** A card is read so far below the window's edge. */
const AHEAD = '240px'

/** A ref for a card, and whether the card is in sight, or nearly. Only then it reads its figures. */
export function useInSight() {
  const { ref, entry } = useIntersection({ rootMargin: `${AHEAD} 0px` })
  return [ref, entry?.isIntersecting ?? false] as const
}
