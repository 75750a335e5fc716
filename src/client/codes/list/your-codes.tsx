import { Box, Stack } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { UseQueryResult } from '@tanstack/react-query'
import { memo, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { statusOf } from '#contract/codes/code-values.ts'
import type { QrCode } from '#contract/codes/codes.ts'
import { capitalized, formatCount, formatDay } from '../../formats.ts'
import { Loaded } from '../../ui/dialog/dialog.tsx'
import { GiveUp, Late } from '../../ui/dialog/late.tsx'
import { focusUnlessReturned, useKeptFocus } from '../../ui/focus.ts'
import { confirm } from '../../ui/messages/confirm-dialog.tsx'
import { LATE_PART, LoadFailure } from '../../ui/messages/failure-alert.tsx'
import { whilePrinting } from '../../ui/printing.ts'
import { useMay } from '../../workspace.ts'
import { openCode, openCopy } from '../addresses.ts'
import { hostOf, linkOf } from '../links.ts'
import { useOwner } from '../owner.ts'
import { useDeleteCode, useImportedIds, useImportName, useScansByCode } from '../queries.ts'
import { useBatchActions } from './batch.ts'
import type { OpenedMenu } from './code-actions.tsx'
import styles from './code-list.module.css'
import {
  DEFAULT_LIST,
  type Known,
  type ListState,
  needsScans,
  placeOf,
  scansFrom,
  tagsIn,
  useCodeListState,
  visibleCodes,
} from './code-list.ts'
import type { RowProps } from './code-row.tsx'
import { CodeTable } from './code-table.tsx'
import { CodeToolbar } from './code-toolbar.tsx'
import { NoMatches } from './list-header.tsx'
import { deletionQuestion } from './questions.tsx'
import { useSelection } from './selection.ts'

const { q, status, tag, importId } = DEFAULT_LIST

type Props = Omit<RowProps, 'onMenu' | 'onOpen'> & {
  codes: QrCode[]
  /** Opens the analytics of a code, by its id. */
  onStats: (id: string) => void
  /** Moves the focus when the row that had it has left the list. */
  onFocusLost: () => void
}

/** The codes of an account that has some. A change of the page around them draws no row again. */
export const YourCodes = memo(function YourCodes({ codes, onStats, onFocusLost, ...row }: Props) {
  const { state, change } = useCodeListState()
  const area = useRef<HTMLDivElement>(null)
  // Deferred: typing never waits for rows to be drawn.
  const asked = useDeferredValue(useSettled(state))
  const scans = useScansByCode({ enabled: needsScans(asked) })
  const imported = useImportedIds(asked.importId)
  const known = useMemo(
    () => ({ scans: scans.data && scansFrom(scans.data), imported: imported.data }),
    [scans.data, imported.data],
  )
  const list = useMemo(
    () => visibleCodes(codes, asked, { ...known, now: new Date() }),
    [codes, asked, known],
  )
  const tags = useMemo(() => tagsIn(codes), [codes])
  const selection = useSelection(list)
  const actions = useBatchActions()
  const isChosen = selection.codes.length > 0 || actions.progress !== null
  const onDelete = useAskedDelete(onFocusLost)
  const mayEdit = useMay('PATCH /api/qr-codes/:id')
  const [menu, setMenu] = useState<OpenedMenu | null>(null)
  const closeMenu = () => setMenu(null)
  const onMenu = useCallback((next: OpenedMenu) => {
    setMenu((before) => (before?.button === next.button ? null : next))
  }, [])
  const nameCopy = useCopyToName(codes)
  useReveal(codes, asked, change, known)
  useKeptFocus(area, onFocusLost)
  const clear = () => {
    change({ q, status, tag, importId })
    // The pressed button disappears: the focus moves to the search field.
    area.current?.querySelector('input')?.focus()
  }
  return (
    <Stack ref={area} gap={0}>
      <CodeToolbar
        state={state}
        tags={tags}
        importName={useImportName(state.importId)}
        onChange={change}
        summary={
          isNarrowed(asked)
            ? `${formatCount(list.found.length)} of ${formatCount(codes.length)} QR codes`
            : ''
        }
      />
      <Late
        load={loadBar}
        isNeeded={isChosen}
        failed={<LoadFailure what="The actions" reading={LATE_PART} />}
      >
        {({ SelectionBar }) =>
          isChosen && <SelectionBar found={list.found} selection={selection} actions={actions} />
        }
      </Late>
      {needsScans(asked) && !scans.data ? (
        <Reading query={scans} what="Your scans" />
      ) : asked.importId && !imported.data ? (
        <Reading query={imported} what="The import" />
      ) : list.found.length === 0 ? (
        <NoMatches onClear={clear} />
      ) : (
        <CodeTable
          sort={asked.sort}
          onChange={change}
          onMenu={onMenu}
          onOpen={mayEdit ? openCode : onStats}
          list={list}
          selection={selection}
          {...row}
        />
      )}
      <Late load={loadMenu} isNeeded={menu !== null} failed={<GiveUp onClose={closeMenu} />}>
        {({ RowMenu }) => (
          <RowMenu
            opened={menu}
            onClose={closeMenu}
            onDuplicated={nameCopy}
            codes={codes}
            onDelete={onDelete}
            onStats={onStats}
          />
        )}
      </Late>
      <PrintedCodes codes={list.found} />
    </Stack>
  )
})

/** Stands in for the table until the values that it is sorted or filtered by are there. */
const Reading = (props: { query: UseQueryResult; what: string }) => (
  <Box px="md" pb="md">
    <Loaded {...props}>{() => null}</Loaded>
  </Box>
)

const loadBar = () => import('./selection-bar.tsx')
/** The menus are loaded late: the list can be read without them. */
const loadMenu = () => import('./row-menu.tsx')

/** Opens a copy that was just made, as soon as the list has it. */
function useCopyToName(codes: readonly QrCode[]) {
  const [copy, setCopy] = useState<string | null>(null)
  useEffect(() => {
    if (copy === null || codes.every(({ id }) => id !== copy)) return
    setCopy(null)
    openCopy(copy)
  }, [copy, codes])
  return useCallback(({ id }: QrCode) => setCopy(id), [])
}

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

/** The asked state, after a pause in typing the search. */
function useSettled(state: ListState): ListState {
  const [settled] = useDebouncedValue(state, TYPING_MS)
  return state.q === q || state.q === settled.q ? state : settled
}

const isNarrowed = (state: ListState) =>
  state.q.trim() !== q ||
  state.status !== status ||
  state.tag !== tag ||
  state.importId !== importId

const idsOf = (codes: readonly QrCode[]) => new Set(codes.map(({ id }) => id))

/** Moves the list to a code that was just made or restored. */
function useReveal(
  codes: QrCode[],
  state: ListState,
  change: (change: Partial<ListState>) => void,
  known: Omit<Known, 'now'>,
): void {
  const before = useRef<ReadonlySet<string>>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of the codes can bring a new one
  useEffect(() => {
    const earlier = before.current
    before.current = idsOf(codes)
    const fresh = codes.filter(({ id }) => earlier && !earlier.has(id))
    const [only] = fresh
    if (only && fresh.length === 1)
      change(placeOf(codes, only, state, { ...known, now: new Date() }))
  }, [codes])
}

/** On paper the list has all that it found, not only the page on the screen. */
function PrintedCodes({ codes }: { codes: readonly QrCode[] }) {
  const { hostUrl } = useOwner()
  const [isPrinting, setPrinting] = useState(false)
  // The browser prints what is there when its event returns.
  useEffect(() => whilePrinting((now) => flushSync(() => setPrinting(now))), [])
  if (!isPrinting) return null
  const now = new Date()
  return (
    <table className={styles.printed} hidden>
      <thead>
        <tr>
          {['QR Code', 'Short link', 'URL', 'Created', 'Status'].map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {codes.map((code) => (
          <tr key={code.id}>
            <td>{code.name}</td>
            <td>{hostOf(linkOf(hostUrl, code))}</td>
            <td>{code.url}</td>
            <td>{formatDay(code.createdAt)}</td>
            <td>{capitalized(statusOf(code, now))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
