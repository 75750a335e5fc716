import { useDeferredValue, useMemo, useRef } from 'react'
import type { QrCode } from '#contract/codes.ts'
import { DEFAULT_LIST, type ListState, visibleCodes } from './code-list.ts'
import { useCodeListState } from './code-list-state.ts'
import { CodeTable, type RowProps } from './code-table.tsx'
import { CodeToolbar } from './code-toolbar.tsx'
import { NoMatches } from './no-matches.tsx'

const { q, status } = DEFAULT_LIST

type Props = RowProps & { codes: QrCode[] }

/** The codes of an account that has some. What is typed shows at once, the list follows. */
export function YourCodes({ codes, ...row }: Props) {
  const { state, change } = useCodeListState()
  const toolbar = useRef<HTMLDivElement>(null)
  const asked = useDeferredValue(state)
  const list = useMemo(() => visibleCodes(codes, asked, new Date()), [codes, asked])
  const clear = () => {
    change({ q, status })
    // The button goes; whoever pressed it is left where they can search again.
    toolbar.current?.querySelector('input')?.focus()
  }
  return (
    <>
      <div ref={toolbar}>
        <CodeToolbar
          state={state}
          onChange={change}
          summary={isNarrowed(asked) ? `${list.found} of ${codes.length} QR codes` : ''}
        />
      </div>
      {list.found === 0 ? (
        <NoMatches onClear={clear} />
      ) : (
        <CodeTable list={list} sort={asked.sort} onChange={change} {...row} />
      )}
    </>
  )
}

const isNarrowed = (state: ListState) => state.q.trim() !== q || state.status !== status
