import { Box } from '@mantine/core'
import { type CSSProperties, useState } from 'react'
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
import rows from './value-list.module.css'

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

/** Rows that a list shows before a user opens all. */
const SHOWN = 8

type ListProps = { facet: Facet; breakdown: Breakdown; view: View }

/** The values of a facet as bars, most scans first. Each is a filter. */
function ValueList({ facet, breakdown, view }: ListProps) {
  const [isWhole, setWhole] = useState(false)
  const { others, scans } = breakdown
  const { title, one } = facetWords[facet]
  const all = valuesOf(facet, breakdown)
  if (all.length === 0) return <p className={rows.none}>Nothing to show here yet.</p>
  const shown = isWhole ? all : all.slice(0, SHOWN)
  const most = all[0]?.scans ?? 0
  return (
    <>
      <Box component="ul" display="grid" style={{ gap: 2 }}>
        {shown.map((row) => (
          <li key={row.value}>
            <button
              type="button"
              className={rows.row}
              aria-pressed={view.filters[facet] === row.value}
              style={{ '--part': most > 0 ? row.scans / most : 0 } as CSSProperties}
              onClick={() => changeView({ filters: toggled(view.filters, facet, row.value) })}
            >
              <bdi className={rows.name}>{row.label}</bdi>{' '}
              <span className={rows.scans}>{counted(row.scans, nounOf(view.kind))}</span>{' '}
              <span className={rows.share}>{shareText(row.scans, scans)}</span>
            </button>
          </li>
        ))}
      </Box>
      {others > 0 && (isWhole || all.length <= SHOWN) && (
        <p className={rows.none}>{counted(others, nounOf(view.kind))} with other values</p>
      )}
      {all.length > SHOWN && (
        <button
          type="button"
          className={rows.more}
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? 'Show fewer' : `Show all ${formatCount(all.length)}`}
        </button>
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
