import { Group, NativeSelect, SegmentedControl, Text, TextInput } from '@mantine/core'
import { Search, X } from 'lucide-react'
import { useRef } from 'react'
import { codeStatuses, foldedTag, UNSCANNED_DAYS } from '#contract/codes/code-values.ts'
import { choicesOf } from '../../formats.ts'
import { useOnPhone } from '../../ui/dialog/dialog.tsx'
import { PlainButton } from '../../ui/plain-button.tsx'
import { useCommand, useShortcut, useShortcutPreference } from '../../ui/shortcut.ts'
import styles from './code-list.module.css'
import type { ListState, Sort, StatusFilter } from './code-list.ts'

const statuses: { value: StatusFilter; label: string }[] = [
  ...choicesOf(['all', ...codeStatuses]),
  { value: 'unscanned', label: `No scans in ${UNSCANNED_DAYS} days` },
]

const sorts: { value: Sort; label: string }[] = [
  { value: '-created', label: 'Newest first' },
  { value: 'created', label: 'Oldest first' },
  { value: '-scans', label: 'Most scanned' },
  { value: 'scans', label: 'Least scanned' },
  { value: 'name', label: 'Name, A to Z' },
  { value: '-name', label: 'Name, Z to A' },
  { value: 'url', label: 'URL, A to Z' },
  { value: '-url', label: 'URL, Z to A' },
  { value: 'status', label: 'Active first' },
  { value: '-status', label: 'Expired first' },
]

/** On a phone the filters share a line. */
const SHARED = '1 1 120px'

type Props = {
  state: ListState
  /** The names of the tags that codes have */
  tags: readonly string[]
  /** The file of the import that the list is filtered by; undefined while it is not known */
  importName: string | undefined
  onChange: (change: Partial<ListState>) => void
  summary: string
}

/**
 * Searches and filters the list. The choice of order is for narrow screens, where the table has no
 * headers to click; on a phone the filter is a choice like it.
 */
export function CodeToolbar({ state, tags, importName, onChange, summary }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const { isOn } = useShortcutPreference()
  const onPhone = useOnPhone()
  // The address may ask for a tag in other letters, or for one that no code has.
  const tag = tags.find((one) => foldedTag(one) === foldedTag(state.tag)) ?? state.tag
  const tagNames = tag === '' || tags.includes(tag) ? tags : [tag, ...tags]
  const search = () => field.current?.select()
  useShortcut('/', search)
  useCommand('k', search)
  return (
    <Group component="search" gap={onPhone ? 8 : 'sm'} px={onPhone ? 8 : 'md'} pb="sm">
      <TextInput
        ref={field}
        type="search"
        className={styles.search}
        flex={onPhone ? '1 1 100%' : '0 1 320px'}
        aria-label="Search QR codes"
        aria-keyshortcuts="/ Control+K Meta+K"
        placeholder="Search"
        leftSection={<Search size={16} />}
        rightSection={isOn && !state.q && <kbd aria-hidden>/</kbd>}
        rightSectionPointerEvents="none"
        value={state.q}
        onChange={(event) => onChange({ q: event.currentTarget.value })}
      />
      {onPhone ? (
        <NativeSelect
          aria-label="Show"
          flex={SHARED}
          value={state.status}
          onChange={(event) => onChange({ status: event.currentTarget.value as StatusFilter })}
          data={statuses}
        />
      ) : (
        <SegmentedControl
          aria-label="Status"
          withItemsBorders={false}
          value={state.status}
          onChange={(status) => onChange({ status })}
          data={statuses}
        />
      )}
      {tagNames.length > 0 && (
        <NativeSelect
          aria-label="Tag"
          flex={onPhone ? SHARED : '0 1 170px'}
          value={tag}
          onChange={(event) => onChange({ tag: event.currentTarget.value })}
          data={[{ value: '', label: 'All tags' }, ...tagNames]}
        />
      )}
      {state.importId !== '' && (
        <PlainButton
          maw="min(320px, 100%)"
          rightSection={<X size={16} />}
          title="Remove this filter"
          onClick={() => onChange({ importId: '' })}
        >
          <Text span truncate inherit>
            Imported from {importName ?? 'a file'}
          </Text>
        </PlainButton>
      )}
      <NativeSelect
        aria-label="Sort by"
        className={styles.sort}
        flex={onPhone ? SHARED : undefined}
        value={state.sort}
        onChange={(event) => onChange({ sort: event.currentTarget.value as Sort })}
        data={sorts}
      />
      <Text
        size="sm"
        c="dimmed"
        ml="auto"
        pos={summary ? undefined : 'absolute'}
        aria-live="polite"
      >
        {summary}
      </Text>
    </Group>
  )
}
