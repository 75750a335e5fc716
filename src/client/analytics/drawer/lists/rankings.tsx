import type { CSSProperties, ReactNode } from 'react'
import type { Ranking } from '#contract/analytics/figures.ts'
import { counted } from '../../../formats.ts'
import { Card, useInSight } from '../card.tsx'
import { keptRanking } from '../download/kept-cards.ts'
import { useRanking } from '../queries.ts'
import { showStatsOf, type View } from '../view/view.ts'
import { nounOf, shareText } from '../words.ts'
import { GrowingList } from './growing-list.tsx'
import styles from './value-list.module.css'

type CardProps = {
  view: View
  of: 'code' | 'tag'
  title: string
  definition: string
  children: (ranking: Ranking) => ReactNode
}

function RankingCard({ view, of, title, definition, children }: CardProps) {
  const [card, isInSight] = useInSight()
  const ranking = useRanking(view, { enabled: isInSight })
  const { data } = ranking
  return (
    <Card
      ref={card}
      title={title}
      isWide
      definition={definition}
      kept={data && keptRanking(of, data, view.kind)}
      answer={ranking}
    >
      {data && children(data)}
    </Card>
  )
}

type Props = { view: View }

/** The codes with the most scans in the view. A code opens its own analytics of the same view. */
export function TopCodes({ view }: Props) {
  const noun = nounOf(view.kind)
  const definition = 'Open a code to see its own analytics.'
  return (
    <RankingCard view={view} of="code" title="Top codes" definition={definition}>
      {({ codes, scans, others }) => (
        <>
          <GrowingList items={codes}>
            {(code) => (
              <button
                type="button"
                className={styles.row}
                style={partOf(code, codes)}
                onClick={() => showStatsOf(code.id)}
              >
                <bdi className={styles.name}>{code.name}</bdi>{' '}
                <span className={styles.scans}>{counted(code.scans, noun)}</span>{' '}
                <span className={styles.share}>{shareText(code.scans, scans)}</span>
              </button>
            )}
          </GrowingList>
          {others > 0 && <p className={styles.none}>{counted(others, noun)} of other codes</p>}
        </>
      )}
    </RankingCard>
  )
}

/** The scans of each tag's codes together. */
export function Tags({ view }: Props) {
  const noun = nounOf(view.kind)
  const definition = 'All codes with a tag together. A code with two tags counts in both.'
  return (
    <RankingCard view={view} of="tag" title="Tags" definition={definition}>
      {({ tags }) => (
        <>
          {tags.length === 0 && <p className={styles.none}>No {noun}s of codes with tags.</p>}
          <GrowingList items={tags}>
            {(tag) => (
              <div className={styles.row} style={partOf(tag, tags)}>
                <bdi className={styles.name}>{tag.name}</bdi>{' '}
                <span className={styles.scans}>
                  {counted(tag.scans, noun)} of {counted(tag.scannedCodes, 'code')}
                </span>
              </div>
            )}
          </GrowingList>
        </>
      )}
    </RankingCard>
  )
}

type Ranked = Ranking['codes'] | Ranking['tags']

/** The length of a row's bar: the first row has the longest. */
const partOf = ({ scans }: { scans: number }, [first]: Ranked) =>
  ({ '--part': first ? scans / first.scans : 0 }) as CSSProperties
