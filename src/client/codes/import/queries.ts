import { keepPreviousData, type Query, useMutation, useQuery } from '@tanstack/react-query'
import type {
  ChangedImportRow,
  ImportColumns,
  ImportEntry,
  ImportNow,
  ImportPublishCall,
  ImportRowChange,
  ImportRows,
  MadeImport,
} from '#contract/imports.ts'
import { PAGE_OF } from '#contract/page-of.ts'
import { ApiError, isRefusal, notePageBlocked, request, requestJson } from '../../api.ts'
import { pageOwner } from '../../page-owner.ts'
import { queryClient } from '../../query-client.ts'
import { useCall } from '../../ui/call.ts'
import { inWorkspace } from '../../workspace.ts'
import { importAddress } from '../addresses.ts'

const IMPORTS = ['/api/imports']
const keyOf = (id: string) => [...IMPORTS, id]
const addressOf = (id: string) => keyOf(id).join('/')

/** Between two looks at codes that are being created */
const LOOK_AGAIN_MS = 700

/** The state of an import, read again while its codes are created. */
export function useImport(id: string) {
  return useQuery<ImportNow>({
    queryKey: keyOf(id),
    enabled: id !== '',
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.state === 'publishing' ? LOOK_AGAIN_MS : false),
  })
}

/** Files that were read before, the newest first. */
export function useEarlierImports() {
  return useQuery<ImportEntry[]>({ queryKey: IMPORTS, staleTime: 0 })
}

export type RowFilter = 'all' | 'problems' | 'losses'

/** Rows that are shown at once */
export const PAGE_ROWS = 50

/** A page of a file's rows. */
export function useImportRows(id: string, only: RowFilter, cursor: string | null) {
  const query = new URLSearchParams({ limit: String(PAGE_ROWS) })
  if (only !== 'all') query.set('only', only)
  if (cursor) query.set('cursor', cursor)
  return useQuery<ImportRows>({
    queryKey: [`${addressOf(id)}/rows?${query}`],
    placeholderData: keepPreviousData,
  })
}

/** The rows of a kind as a CSV file, with what is wrong with each */
export const tableAddress = (id: string, only: Exclude<RowFilter, 'all'> | 'lost-paths') =>
  `${addressOf(id)}/rows.csv?only=${only}`

/** Changes a cell of a row. The row stays in sight, whether or not it still has an error. */
export function useChangeRow(id: string, row: number) {
  return useMutation({
    mutationFn: (change: ImportRowChange) =>
      requestJson<ChangedImportRow>('PATCH', `${addressOf(id)}/rows/${row}`, change),
    onSuccess: async (changed) => {
      const lists = { predicate: ({ queryKey: [key] }: Query) => isListOf(id, key) }
      await keepState(changed.import)
      queryClient.setQueriesData<ImportRows>(
        lists,
        (rows) =>
          rows && {
            ...rows,
            items: rows.items.map((one) => (one.row === row ? changed.row : one)),
          },
      )
      void queryClient.invalidateQueries({ ...lists, refetchType: 'none' })
    },
  })
}

const isListOf = (id: string, key: unknown) =>
  typeof key === 'string' && key.startsWith(`${addressOf(id)}/rows?`)

/** Reads the file again with its columns and its domain as chosen: another import takes its place. */
export function useReadAgain(id: string) {
  return useCall(
    (chosen: ImportColumns) => requestJson<MadeImport>('POST', `${addressOf(id)}/columns`, chosen),
    {
      failed: 'Failed to update the preview',
      after: (made) => {
        keepMade(made)
        importAddress.replace(made.id)
      },
    },
  )
}

/** Keeps a state that a call has returned. A reading that began before it would bring back the one of before. */
export async function keepState(now: ImportNow): Promise<void> {
  const queryKey = keyOf(now.id)
  await queryClient.cancelQueries({ queryKey, exact: true })
  queryClient.setQueryData<ImportNow>(queryKey, now)
}

/** Keeps the answer to a file as the state of its import. */
export function keepMade({ firstProblems: _, ...now }: MadeImport): void {
  queryClient.setQueryData<ImportNow>(keyOf(now.id), now)
}

/** Its caller shows the refusal. */
export function usePublish(id: string) {
  return useMutation({
    mutationFn: (asked: ImportPublishCall) =>
      requestJson<ImportNow>('POST', `${addressOf(id)}/publish`, asked),
    onSuccess: keepState,
    // The import may have another state than this page knows.
    onError: () => queryClient.invalidateQueries({ queryKey: keyOf(id) }),
  })
}

/** Forgets a file that was read. A missing file counts as forgotten. */
export function useDiscard() {
  const refresh = () => queryClient.invalidateQueries({ queryKey: IMPORTS, exact: true })
  const discard = (id: string) =>
    request('DELETE', addressOf(id)).catch((error) => {
      if (!isRefusal(error, 'not_found')) throw error
    })
  return useCall(discard, {
    failed: 'Failed to discard this file',
    after: refresh,
    afterFailure: refresh,
  })
}

/** The ids of the codes of the first `limit` rows. @throws ApiError */
export async function createdIds(id: string, limit: number): Promise<string[]> {
  const rows = await requestJson<ImportRows>('GET', `${addressOf(id)}/rows?limit=${limit}`)
  return rows.items.map(({ codeId }) => codeId).filter((code) => code !== null)
}

export const picturesAddress = (id: string) => `${addressOf(id)}/pictures.zip`

export const TEMPLATE = `${IMPORTS}/template.csv`

type Sending = {
  signal: AbortSignal
  /** How much of the file has been sent, from 0 to 1. Then the server reads it. */
  report: (share: number) => void
}

/** The server's longest name of a file */
const NAME_MAX = 200

const types: Record<string, string> = {
  json: 'application/json',
  tsv: 'text/tab-separated-values',
}

/** Browsers name the type of such a file by what else is installed: its name is better. */
const typeOf = (name: string) => types[extensionOf(name)] ?? 'text/csv'

export const extensionOf = (name: string) => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''

/**
 * Sends a file of codes and reports how much of it is on its way, which no `fetch` can do.
 * @throws ApiError, or Error without a network
 */
export function sendFile(file: File, { signal, report }: Sending): Promise<MadeImport> {
  const { promise, resolve, reject } = Promise.withResolvers<MadeImport>()
  const call = new XMLHttpRequest()
  const name = file.name.slice(0, NAME_MAX).toWellFormed()
  call.open('POST', inWorkspace(`/api/imports?name=${encodeURIComponent(name)}`))
  call.setRequestHeader('Content-Type', typeOf(file.name))
  const owner = pageOwner()
  if (owner) call.setRequestHeader(PAGE_OF, owner)
  call.upload.addEventListener('progress', ({ loaded, total }) => report(loaded / (total || 1)))
  call.upload.addEventListener('load', () => report(1))
  call.addEventListener('error', () => reject(new Error('No network')))
  call.addEventListener('abort', () => reject(signal.reason))
  call.addEventListener('load', () => {
    const { status, statusText, responseText } = call
    if (status === 201) return resolve(JSON.parse(responseText))
    const error = new ApiError(status, statusText, responseText)
    notePageBlocked(error)
    reject(error)
  })
  signal.addEventListener('abort', () => call.abort(), { once: true })
  call.send(file)
  return promise
}
