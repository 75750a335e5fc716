import { useDebouncedValue } from '@mantine/hooks'
import { memo, useCallback, useDeferredValue, useEffect, useMemo, useRef } from 'react'
import type { QrCode } from '#contract/codes.ts'
import { confirm } from '../../ui/confirm-dialog.tsx'
import { focusUnlessReturned, useKeptFocus } from '../../ui/focus.ts'
import { useDeleteCode } from '../queries.ts'
import { useBatchActions } from './batch.ts'
import styles from './code-list.module.css'
import {
  DEFAULT_LIST,
  type ListState,
  placeOf,
  useCodeListState,
  visibleCodes,
} from './code-list.ts'
import type { RowProps } from './code-row.tsx'
import { CodeTable } from './code-table.tsx'
import { CodeToolbar } from './code-toolbar.tsx'
import { NoMatches } from './empty-list.tsx'
import { deletionQuestion } from './questions.tsx'
import { useSelection } from './selection.ts'
import { SelectionBar } from './selection-bar.tsx'

const { q, status } = DEFAULT_LIST

type Props = Omit<RowProps, 'onDelete'> & {
  codes: QrCode[]
  /** Moves the focus when the row that had it has left the list. */
  onFocusLost: () => void
}

/** The codes of an account that has some. A change of the page around them draws no row again. */
export const YourCodes = memo(function YourCodes({ codes, onFocusLost, ...row }: Props) {
  const { state, change } = useCodeListState()
  const area = useRef<HTMLDivElement>(null)
  // Deferred: somebody who types never waits for rows to be drawn.
  const asked = useDeferredValue(useSettled(state))
  const list = useMemo(() => visibleCodes(codes, asked, new Date()), [codes, asked])
  const selection = useSelection(list.found)
  const actions = useBatchActions()
  const onDelete = useAskedDelete(onFocusLost)
  useReveal(codes, asked, change)
  useKeptFocus(area, onFocusLost)
  const clear = () => {
    change({ q, status })
    // The pressed button disappears: the focus moves to the search field.
    area.current?.querySelector('input')?.focus()
  }
  return (
    <div ref={area} className={styles.area}>
      <CodeToolbar
        state={state}
        onChange={change}
        summary={isNarrowed(asked) ? `${list.found.length} of ${codes.length} QR codes` : ''}
      />
      {(selection.codes.length > 0 || actions.progress) && (
        <SelectionBar found={list.found} {...{ selection, actions }} />
      )}
      {list.found.length === 0 ? (
        <NoMatches onClear={clear} />
      ) : (
        <CodeTable
          sort={asked.sort}
          onChange={change}
          {...{ list, selection, onDelete }}
          {...row}
        />
      )}
    </div>
  )
})

function useAskedDelete(focusInstead: () => void) {
  const { mutateAsync: remove } = useDeleteCode()
  return useCallback(
    (code: QrCode) => {
      confirm({
        ...deletionQuestion([code]),
        onGo: () => remove(code.id),
        onClosed: () => focusUnlessReturned(focusInstead),
      })
    },
    [remove, focusInstead],
  )
}

/** The list follows a search after this pause, since it fetches the numbers of every row it shows. */
const TYPING_MS = 150

/** The asked state, once nobody is typing the search. */
function useSettled(state: ListState): ListState {
  const [settled] = useDebouncedValue(state, TYPING_MS)
  return state.q === q || state.q === settled.q ? state : settled
}

const isNarrowed = (state: ListState) => state.q.trim() !== q || state.status !== status

const idsOf = (codes: readonly QrCode[]) => new Set(codes.map(({ id }) => id))

/** Moves the list to a code that was just made or restored. */
export function useReveal(
  codes: QrCode[],
  state: ListState,
  change: (change: Partial<ListState>) => void,
): void {
  const known = useRef<ReadonlySet<string>>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of the codes can bring a new one
  useEffect(() => {
    const before = known.current
    known.current = idsOf(codes)
    const fresh = codes.filter(({ id }) => before && !before.has(id))
    const [only] = fresh
    if (only && fresh.length === 1) change(placeOf(codes, only, state, new Date()))
  }, [codes])
}
