import { Radio, type RadioCardProps } from '@mantine/core'
import styles from './fields.module.css'

type Props = RadioCardProps & {
  value: string
  /** What its group has chosen, if anything. */
  chosen: string | undefined
  /** The first of its group. */
  isFirst: boolean
  /** Small, with its name below its picture. */
  isTile?: boolean
}

/** A card to choose. Tab stops at the chosen one of a group alone, arrows go on from there. */
export function ChoiceCard({ chosen, isFirst, isTile, className, ...card }: Props) {
  const isStop = chosen ? chosen === card.value : isFirst
  return (
    <Radio.Card
      type="button"
      tabIndex={isStop ? 0 : -1}
      data-tile={isTile || undefined}
      className={`${styles.card} ${className ?? ''}`}
      {...card}
    />
  )
}
