import { Box, Group, UnstyledButton } from '@mantine/core'
import { ArrowLeft } from 'lucide-react'
import { type KeyboardEvent, useId, useState } from 'react'
import rows from '../lists/value-rows.module.css'
import styles from './search-list.module.css'

/** Options that are listed at once: a search finds the others. */
const LISTED_MAX = 100

type Option<Value> = { value: Value; label: string; note?: string }

type Props<Value> = {
  /** The name of the search: "Country". */
  label: string
  /** Undefined while they are read. */
  options: readonly Option<Value>[] | undefined
  failure?: string | null
  onPick: (value: Value) => void
  onBack?: () => void
}

const STEP: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }

/** A field and the options that it finds. Arrow keys move, Enter picks, Backspace in an empty field goes back. */
export function SearchList<Value extends string>(props: Props<Value>) {
  const { label, options, failure, onPick, onBack } = props
  const [search, setSearch] = useState('')
  const [current, setCurrent] = useState(0)
  const id = useId()
  const folded = search.trim().toLowerCase()
  const found = (options ?? [])
    .filter((option) => option.label.toLowerCase().includes(folded))
    .slice(0, LISTED_MAX)
  const optionId = (index: number) => `${id}-${index}`
  const move = (event: KeyboardEvent) => {
    const { key } = event
    if (key === 'Enter' && found[current]) onPick(found[current].value)
    else if (key === 'Backspace' && search === '' && onBack) onBack()
    else if (STEP[key] && found.length > 0) {
      const next = (current + STEP[key] + found.length) % found.length
      setCurrent(next)
      document.getElementById(optionId(next))?.scrollIntoView({ block: 'nearest' })
    } else return
    event.preventDefault()
  }
  return (
    <>
      <Group gap={0} wrap="nowrap" style={{ borderBottom: '1px solid var(--line)' }}>
        {onBack && (
          <UnstyledButton
            className={styles.back}
            aria-label="Back to all filters"
            data-mantine-stop-propagation
            onClick={onBack}
          >
            <ArrowLeft size={16} />
          </UnstyledButton>
        )}
        <input
          key={label}
          className={styles.search}
          role="combobox"
          aria-label={label}
          aria-expanded
          aria-controls={id}
          aria-activedescendant={found[current] && optionId(current)}
          autoComplete="off"
          placeholder={`${label}…`}
          // Escape closes this list, and not the drawer.
          data-mantine-stop-propagation
          data-autofocus
          value={search}
          onChange={({ currentTarget }) => {
            setSearch(currentTarget.value)
            setCurrent(0)
          }}
          onKeyDown={move}
          // biome-ignore lint/a11y/noAutofocus: a click has just asked for it
          autoFocus
        />
      </Group>
      <div id={id} role="listbox" aria-label={label} className={styles.list}>
        {found.map(({ value, label: name, note }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
          <div
            key={value}
            id={optionId(index)}
            role="option"
            tabIndex={-1}
            aria-selected={index === current}
            className={styles.option}
            onPointerMove={() => setCurrent(index)}
            onClick={() => onPick(value)}
          >
            <bdi className={rows.name}>{name}</bdi>{' '}
            {note && (
              <Box component="span" c="dimmed" className={rows.scans}>
                {note}
              </Box>
            )}
          </div>
        ))}
      </div>
      {found.length === 0 && (
        <Box component="p" p={12} c="var(--quiet)" fz="sm" role="status">
          {failure ?? (options ? 'Nothing found.' : 'Loading…')}
        </Box>
      )}
    </>
  )
}
