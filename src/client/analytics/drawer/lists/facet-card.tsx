import { useRef, useState } from 'react'
import type { Facet } from '#contract/analytics/figure-values.ts'
import type { Breakdown } from '#contract/analytics/figures.ts'
import { Choice } from '../asked/choice.tsx'
import { Card } from '../card.tsx'
import { useInSight } from '../in-sight.ts'
import { keptList } from '../keep/kept-cards.ts'
import { WorldMap } from '../map/world-map.tsx'
import styles from '../panel.module.css'
import { type Asked, useBreakdown } from '../queries.ts'
import { facetWords } from '../words.ts'
import { ValueList } from './value-list.tsx'

type Props = Asked & {
  title: string
  facets: readonly [Facet, ...Facet[]]
  isWide?: boolean
}

/** Lists that answer one question; the one that is chosen is read. */
export function FacetCard({ title, facets, isWide, ...asked }: Props) {
  const area = useRef<HTMLElement>(null)
  const [facet, setFacet] = useState<Facet>(facets[0])
  const breakdown = useBreakdown(asked, facet, { enabled: useInSight(area) })
  return (
    <Card
      ref={area}
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
      kept={breakdown.data && keptList(facet, breakdown.data, asked.view.kind)}
      answer={breakdown}
    >
      {breakdown.data && <Values key={facet} {...{ facet, ...asked }} breakdown={breakdown.data} />}
    </Card>
  )
}

function Values({ facet, breakdown, view }: Asked & { facet: Facet; breakdown: Breakdown }) {
  return (
    <div className={facet === 'country' ? styles.beside : undefined}>
      {facet === 'country' && <WorldMap rows={breakdown.rows} view={view} />}
      <div>
        <ValueList {...{ facet, breakdown, view }} />
      </div>
    </div>
  )
}
