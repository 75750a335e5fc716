import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import type {
  ImportEntry,
  ImportNow,
  ImportPublishCall,
  ImportRows,
  MadeImport,
} from '#contract/imports.ts'
import { isRefusal, request, requestJson } from '../../api.ts'
import { queryClient } from '../../query-client.ts'
import { reportFailure } from '../../ui/messages/failure.ts'

const IMPORTS = ['/api/imports']
const keyOf = (id: string) => [...IMPORTS, id]
const addressOf = (id: string) => keyOf(id).join('/')

/** Between two looks at codes that are being made */
const LOOK_AGAIN_MS = 700

/** How an import stands, as long as it goes on. */
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

export type RowFilter = 'all' | 'problems' | 'lost-paths'

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

/** The answer to a file is how it stands. */
export function keepMade({ firstProblems: _, ...now }: MadeImport): void {
  queryClient.setQueryData<ImportNow>(keyOf(now.id), now)
}

/** The tag that the codes of an import got, as long as the page knows it */
const tags = new Map<string, string>()
export const tagFor = (id: string) => tags.get(id) ?? ''

/** Its caller shows the refusal. */
export function usePublish(id: string) {
  return useMutation({
    mutationFn: (asked: ImportPublishCall) =>
      requestJson<ImportNow>('POST', `${addressOf(id)}/publish`, asked),
    onSuccess: (now, { tags: given = [] }) => {
      const [tag] = given
      if (tag) tags.set(id, tag)
      queryClient.setQueryData(keyOf(id), now)
    },
    // It may stand otherwise than this page knows.
    onError: () => queryClient.invalidateQueries({ queryKey: keyOf(id) }),
  })
}

/** Forgets a file that was read. What is gone already is gone. */
export function useDiscard() {
  return useMutation({
    mutationFn: async (id: string) => {
      try {
        await request('DELETE', addressOf(id))
      } catch (error) {
        if (!isRefusal(error, 'not_found')) throw error
      }
    },
    onError: (error) => reportFailure(error, 'Failed to discard this file'),
    onSettled: () => queryClient.invalidateQueries({ queryKey: IMPORTS, exact: true }),
  })
}

/** The ids of the codes of the first rows, at most `count`. @throws ApiError */
export async function madeIds(id: string, count: number): Promise<string[]> {
  const rows = await requestJson<ImportRows>('GET', `${addressOf(id)}/rows?limit=${count}`)
  return rows.items.map(({ codeId }) => codeId).filter((code) => code !== null)
}

export const picturesAddress = (id: string) => `${addressOf(id)}/pictures.zip`

export const TEMPLATE = `${IMPORTS}/template.csv`
