import type { CSSProperties } from 'react'
import type { Ranking } from '#contract/analytics/figures.ts'
import { counted } from '../../../formats.ts'
import { Card, useInSight } from '../card.tsx'
import { keptRanking } from '../download/kept-cards.ts'
import { useRanking } from '../queries.ts'
import { showStatsOf, type View } from '../view/view.ts'
import { nounOf, shareText } from '../words.ts'
import { GrowingList } from './growing-list.tsx'
import styles from './value-list.module.css'

type Props = { view: View }

/** The codes with the most scans in the view. A code opens its own analytics of the same view. */
export function TopCodes({ view }: Props) {
  const [card, isInSight] = useInSight()
  const ranking = useRanking(view, { enabled: isInSight })
  const { data } = ranking
  const noun = nounOf(view.kind)
  return (
    <Card
      ref={card}
      title="Top codes"
      isWide
      definition="Open a code to see its own analytics."
      kept={data && keptRanking('code', data, view.kind)}
      answer={ranking}
    >
      <GrowingList items={data?.codes ?? []}>
        {(code) => (
          <button
            type="button"
            className={styles.row}
            style={partOf(code, data?.codes)}
            onClick={() => showStatsOf(code.id)}
          >
            <bdi className={styles.name}>{code.name}</bdi>{' '}
            <span className={styles.scans}>{counted(code.scans, noun)}</span>{' '}
            <span className={styles.share}>{shareText(code.scans, data?.scans ?? 0)}</span>
          </button>
        )}
      </GrowingList>
      {data && data.others > 0 && (
        <p className={styles.none}>{counted(data.others, noun)} of other codes</p>
      )}
    </Card>
  )
}

/** The scans of each tag's codes together. */
export function Tags({ view }: Props) {
  const [card, isInSight] = useInSight()
  const ranking = useRanking(view, { enabled: isInSight })
  const { data } = ranking
  const noun = nounOf(view.kind)
  return (
    <Card
      ref={card}
      title="Tags"
      isWide
      definition="All codes with a tag together. A code with two tags counts in both."
      kept={data && keptRanking('tag', data, view.kind)}
      answer={ranking}
    >
      {data?.tags.length === 0 && <p className={styles.none}>No {noun}s of codes with tags.</p>}
      <GrowingList items={data?.tags ?? []}>
        {(tag) => (
          <div className={styles.row} style={partOf(tag, data?.tags)}>
            <bdi className={styles.name}>{tag.name}</bdi>{' '}
            <span className={styles.scans}>
              {counted(tag.scans, noun)} of {counted(tag.scannedCodes, 'code')}
            </span>
          </div>
        )}
      </GrowingList>
    </Card>
  )
}

type Ranked = Ranking['codes'] | Ranking['tags']

/** The length of a row's bar: the first row has the longest. */
const partOf = ({ scans }: { scans: number }, [first]: Ranked = []) =>
  ({ '--part': first ? scans / first.scans : 0 }) as CSSProperties
