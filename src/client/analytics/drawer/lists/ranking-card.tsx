import type { Ranking } from '#contract/analytics/figures.ts'
import { counted } from '../../../formats.ts'
import { Card, useInSight } from '../card.tsx'
import { keptRanking } from '../download/kept-cards.ts'
import { useRanking } from '../queries.ts'
import { showStatsOf, type View } from '../view/view.ts'
import { nounOf, shareText } from '../words.ts'
import { GrowingRows, Note, type ValueRow } from './value-rows.tsx'

const definitions = {
  code: 'Open a code to see its own analytics.',
  tag: 'All codes with a tag together. A code with two tags counts in both.',
}

type Props = { view: View; of: 'code' | 'tag'; title: string }

/** The codes with the most scans in the view, or the scans of each tag's codes together. */
export function RankingCard({ view, of, title }: Props) {
  const [card, isInSight] = useInSight()
  const ranking = useRanking(view, { enabled: isInSight })
  const { data } = ranking
  const noun = nounOf(view.kind)
  return (
    <Card
      ref={card}
      title={title}
      isWide
      definition={definitions[of]}
      kept={data && keptRanking(of, data, view.kind)}
      answer={ranking}
    >
      {of === 'tag' && data?.tags.length === 0 && <Note>No {noun}s of codes with tags.</Note>}
      {data && <GrowingRows rows={of === 'tag' ? tagRows(data, noun) : codeRows(data, noun)} />}
      {of === 'code' && data && data.others > 0 && (
        <Note>{counted(data.others, noun)} of other codes</Note>
      )}
    </Card>
  )
}

/** A code opens its own analytics of the same view. */
const codeRows = ({ codes, scans: all }: Ranking, noun: string): ValueRow[] =>
  codes.map(({ id, name, scans }) => ({
    id,
    name,
    text: counted(scans, noun),
    scans,
    share: shareText(scans, all),
    onClick: () => showStatsOf(id),
  }))

const tagRows = ({ tags }: Ranking, noun: string): ValueRow[] =>
  tags.map(({ name, scans, scannedCodes }) => ({
    id: name,
    name,
    text: `${counted(scans, noun)} of ${counted(scannedCodes, 'code')}`,
    scans,
  }))
