import { Popover } from '@mantine/core'
import { ListFilter } from 'lucide-react'
import { useRef, useState } from 'react'
import { type Facet, facets } from '#contract/analytics/figure-values.ts'
import { serverMessageOf } from '../../../api.ts'
import { counted } from '../../../formats.ts'
import { PlainButton } from '../../../ui/plain-button.tsx'
import { type Asked, useBreakdown, useRuledCodes } from '../queries.ts'
import { facetWords, nounOf, valuesOf } from '../words.ts'
import { SearchList } from './search-list.tsx'
import { changeView } from './view.ts'

/** Picks a filter: what to filter by, then one of the values that have scans. */
export function FilterMenu(asked: Asked) {
  const [opened, setOpened] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  // The kit would give the focus back to the first of the two lists, which is gone.
  const change = (isOpen: boolean) => {
    setOpened(isOpen)
    if (!isOpen) opener.current?.focus()
  }
  return (
    <Popover
      opened={opened}
      onChange={change}
      // Within the dialog: screen readers hide everything beside it.
      withinPortal={false}
      trapFocus
      position="bottom-start"
      offset={4}
      width={300}
      shadow="md"
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>
        <PlainButton
          ref={opener}
          size="xs"
          style={{ flexShrink: 0 }}
          leftSection={<ListFilter size={14} />}
          onClick={() => change(!opened)}
        >
          Filter
        </PlainButton>
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label="Filters to choose from">
        {opened && <Picker {...asked} onDone={() => change(false)} />}
      </Popover.Dropdown>
    </Popover>
  )
}

type PickerProps = Asked & { onDone: () => void }

const options = facets.map((value) => ({ value, label: facetWords[value].one }))

function Picker(props: PickerProps) {
  const [facet, setFacet] = useState<Facet | null>(null)
  const hasRules = useRuledCodes().some(({ rules }) => rules.length > 0)
  const offered = options.filter(({ value }) => value !== 'branch' || hasRules)
  if (facet) return <Values {...props} facet={facet} onBack={() => setFacet(null)} />
  return <SearchList label="Filter by" options={offered} onPick={setFacet} />
}

type ValuesProps = PickerProps & { facet: Facet; onBack: () => void }

/** The other filters stay on: only values that have scans with them are offered. */
function Values({ code, view, facet, onBack, onDone }: ValuesProps) {
  const { [facet]: _, ...others } = view.filters
  const asked = { code, view: { ...view, filters: others } }
  const { data, error, isPlaceholderData } = useBreakdown(asked, facet, { enabled: true })
  const values = data && !isPlaceholderData ? valuesOf(facet, data) : undefined
  const { title, one } = facetWords[facet]
  return (
    <SearchList
      label={one}
      options={values?.map(({ value, label, scans }) => ({
        value,
        label,
        note: counted(scans, nounOf(view.kind)),
      }))}
      failure={error && (serverMessageOf(error) ?? `We couldn’t load ${title.toLowerCase()}.`)}
      onBack={onBack}
      onPick={(value) => {
        changeView({ filters: { ...view.filters, [facet]: value } })
        onDone()
      }}
    />
  )
}
