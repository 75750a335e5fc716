import { useDebouncedValue } from '@mantine/hooks'
import { memo, useCallback, useDeferredValue, useMemo, useRef } from 'react'
import type { QrCode } from '#contract/codes.ts'
import { confirm } from '../../ui/confirm-dialog.tsx'
import { focusUnlessReturned, useKeptFocus } from '../../ui/focus.ts'
import { useDeleteCode } from '../queries.ts'
import { useBatchActions } from './batch-actions.ts'
import { DEFAULT_LIST, type ListState, visibleCodes } from './code-list.ts'
import { useCodeListState } from './code-list-state.ts'
import type { RowProps } from './code-row.tsx'
import { CodeTable } from './code-table.tsx'
import { CodeToolbar } from './code-toolbar.tsx'
import { NoMatches } from './no-matches.tsx'
import { deletionQuestion } from './questions.tsx'
import { useReveal } from './reveal.ts'
import { useSelection } from './selection.ts'
import { SelectionBar } from './selection-bar.tsx'
import styles from './your-codes.module.css'

const { q, status } = DEFAULT_LIST

type Props = Omit<RowProps, 'onDelete'> & {
  codes: QrCode[]
  /** Where the focus goes when the row that had it has left the list. */
  onFocusLost: () => void
}

/** The codes of an account that has some. What the page around it does is nothing to their rows. */
export const YourCodes = memo(function YourCodes({ codes, onFocusLost, ...row }: Props) {
  const { state, change } = useCodeListState()
  const area = useRef<HTMLDivElement>(null)
  // New rows are drawn between keys, never before them.
  const asked = useDeferredValue(useSettled(state))
  const list = useMemo(() => visibleCodes(codes, asked, new Date()), [codes, asked])
  const selection = useSelection(list.found)
  const actions = useBatchActions()
  const onDelete = useAskedDelete(onFocusLost)
  useReveal(codes, asked, change)
  useKeptFocus(area, onFocusLost)
  const clear = () => {
    change({ q, status })
    // The button goes; whoever pressed it is left where they can search again.
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

/** So long a search has to rest before the list follows: every list asks for the numbers of its rows. */
const TYPING_MS = 150

/** The list that is asked for, once its search is no longer being typed. */
function useSettled(state: ListState): ListState {
  const [settled] = useDebouncedValue(state, TYPING_MS)
  return state.q === q || state.q === settled.q ? state : settled
}

const isNarrowed = (state: ListState) => state.q.trim() !== q || state.status !== status
