import { Text } from '@mantine/core'
import type { Classes } from '#contract/analytics/figures.ts'
import { counted } from '../../../formats.ts'
import { NumbersTable } from '../../chart/as-table.tsx'
import { Card, useInSight } from '../card.tsx'
import { keptReasons } from '../download/kept-cards.ts'
import { type Asked, useClasses } from '../queries.ts'
import { Note } from './value-rows.tsx'

/** Why visits count as people or as bots: both, whichever of them the view shows. */
export function Reasons({ code, view }: Asked) {
  const [card, enabled] = useInSight()
  const people = useClasses({ code, view: { ...view, kind: 'people' } }, { enabled })
  const others = useClasses({ code, view: { ...view, kind: 'bots' } }, { enabled })
  const data = people.data && others.data
  const rows = data ? [...people.data.rows, ...others.data.rows] : []
  const kept = keptReasons(rows)
  return (
    <Card
      ref={card}
      title="People and bots"
      isWide
      definition="Messengers, search engines and security scanners open links, too. We sort visits by what the browser reports, and only people count as scans."
      kept={kept}
      answer={{
        data,
        error: people.error ?? others.error,
        isPlaceholderData: people.isPlaceholderData || others.isPlaceholderData,
        refetch: () => Promise.all([people.refetch(), others.refetch()]),
      }}
    >
      {rows.length === 0 ? (
        <Note>Nothing to show here yet.</Note>
      ) : (
        <>
          <Text fw={500} mb={8}>
            {sumsText(sumOf(people.data?.rows), sumOf(others.data?.rows))}
          </Text>
          <NumbersTable
            label="Reasons"
            caption="Visits by what they were counted as"
            hasTexts
            {...kept.table}
          />
        </>
      )}
    </Card>
  )
}

const sumOf = (rows: Classes['rows'] = []) => rows.reduce((sum, { scans }) => sum + scans, 0)

/** "120 visits by people count as scans. 7 visits by bots, link previews, and the like don’t." */
const sumsText = (people: number, others: number) =>
  `${counted(people, 'visit')} by people ${people === 1 ? 'counts' : 'count'} as scans. ${counted(others, 'visit')} by bots, link previews, and the like ${others === 1 ? 'doesn’t' : 'don’t'}.`
