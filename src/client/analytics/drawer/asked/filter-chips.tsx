import { X } from 'lucide-react'
import { facets } from '#contract/analytics/figure-values.ts'
import styles from '../panel.module.css'
import { facetWords, valueText } from '../words.ts'
import { toggled, type View } from './view.ts'
import { changeView } from './view-address.ts'

/** The filters that are on. Each is taken out by a click. */
export function FilterChips({ view: { filters } }: { view: View }) {
  const on = facets.filter((facet) => filters[facet] !== undefined)
  if (on.length === 0) return null
  return (
    <ul className={styles.chips} aria-label="Filters">
      {on.map((facet) => {
        const value = filters[facet] ?? ''
        const text = `${facetWords[facet].one}: ${valueText(facet, value)}`
        return (
          <li key={facet}>
            <button
              type="button"
              className={styles.chip}
              aria-label={`Remove the filter ${text}`}
              onClick={() => changeView({ filters: toggled(filters, facet, value) })}
            >
              <bdi>{text}</bdi>
              <X size={14} aria-hidden />
            </button>
          </li>
        )
      })}
      {on.length > 1 && (
        <li>
          <button type="button" className={styles.chip} onClick={() => changeView({ filters: {} })}>
            Remove all
          </button>
        </li>
      )}
    </ul>
  )
}
