import { useState } from 'react'
import type { Facet } from '#contract/analytics/figure-values.ts'
import type { Breakdown } from '#contract/analytics/figures.ts'
import { counted, formatCount } from '../../../formats.ts'
import { AsTable } from '../../chart/as-table.tsx'
import { Card, useInSight } from '../card.tsx'
import { keptList } from '../download/kept-cards.ts'
import { WorldMap } from '../map/world-map.tsx'
import styles from '../panel.module.css'
import { type Asked, useBreakdown } from '../queries.ts'
import { Choice } from '../view/choice.tsx'
import { changeView, toggled, type View } from '../view/view.ts'
import { facetWords, nounOf, shareText, titleOf, valuesOf } from '../words.ts'
import { More, Note, SHOWN, ValueRows } from './value-rows.tsx'

type Props = Asked & {
  title: string
  facets: readonly [Facet, ...Facet[]]
  isWide?: boolean
}

/** Lists that answer one question; the one that is chosen is read. */
export function FacetCard({ title, facets, isWide, ...asked }: Props) {
  const [card, isInSight] = useInSight()
  const [facet, setFacet] = useState<Facet>(facets[0])
  const breakdown = useBreakdown(asked, facet, { enabled: isInSight })
  const { data } = breakdown
  return (
    <Card
      ref={card}
      title={title}
      isWide={isWide}
      definition={facetWords[facet].definition}
      tools={
        facets.length > 1 && (
          <Choice
            label={title}
            options={facets.map((value) => ({ value, label: facetWords[value].title }))}
            value={facet}
            onChange={setFacet}
          />
        )
      }
      kept={data && keptList(facet, data, asked.view.kind)}
      answer={breakdown}
    >
      {data && (
        <div className={facet === 'country' ? styles.beside : undefined}>
          {facet === 'country' && <WorldMap rows={data.rows} view={asked.view} />}
          <div>
            <ValueList key={facet} facet={facet} breakdown={data} view={asked.view} />
          </div>
        </div>
      )}
    </Card>
  )
}

type ListProps = { facet: Facet; breakdown: Breakdown; view: View }

/** The values of a facet as bars, most scans first. Each is a filter. */
function ValueList({ facet, breakdown, view }: ListProps) {
  const [isWhole, setWhole] = useState(false)
  const { others, scans } = breakdown
  const { title, one } = facetWords[facet]
  const all = valuesOf(facet, breakdown)
  if (all.length === 0) return <Note>Nothing to show here yet.</Note>
  const rows = all.slice(0, isWhole ? undefined : SHOWN).map((row) => ({
    id: row.value,
    name: row.label,
    text: counted(row.scans, nounOf(view.kind)),
    scans: row.scans,
    share: shareText(row.scans, scans),
    isPressed: view.filters[facet] === row.value,
    onClick: () => changeView({ filters: toggled(view.filters, facet, row.value) }),
  }))
  return (
    <>
      <ValueRows rows={rows} />
      {others > 0 && (isWhole || all.length <= SHOWN) && (
        <Note>{counted(others, nounOf(view.kind))} with other values</Note>
      )}
      {all.length > SHOWN && (
        <More isOpen={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show fewer' : `Show all ${formatCount(all.length)}`}
        </More>
      )}
      <AsTable
        label={`${title} as a table`}
        table={() => ({
          caption: `${titleOf(view.kind)}: ${title}`,
          head: [one, titleOf(view.kind), 'Share'],
          rows: all.map((row) => [row.label, row.scans, shareText(row.scans, scans)]),
        })}
      />
    </>
  )
}
