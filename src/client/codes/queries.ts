import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import type { ScansByCode } from '#contract/analytics/analytics.ts'
import type { StatesPart } from '#contract/codes/code-history.ts'
import { NAME_MAX, tagOf } from '#contract/codes/code-values.ts'
import type { BinnedCode, CodeChange, QrCode } from '#contract/codes/codes.ts'
import { STATES_PAGE } from '#contract/codes/rule-values.ts'
import type { ImportEntry } from '#contract/imports.ts'
import type { DomainList } from '#contract/integrations/domains.ts'
import { fieldsOf, lookOf } from '#contract/pictures/pictures.ts'
import type { Legibility } from '#qr/scan-check/verdict.ts'
import type { Look } from '#qr/symbol/look.ts'
import { isRefusal, request, requestJson } from '../api.ts'
import { leavingCodes, queryClient, refreshAfterCodeChange } from '../query-client.ts'
import { useCall } from '../ui/call.ts'
import { reportFailure, reportPlainFailure } from '../ui/messages/failure.ts'
import { toast } from '../ui/messages/toast.tsx'
import { legibilityAddress } from './files.ts'

const LIST = ['/api/qr-codes']

/** All codes of the account, newest first as the server sorts them. */
export function useCodes() {
  return useQuery<QrCode[]>({ queryKey: LIST })
}

/** The hosts on which the account's codes may have their links. */
export function useHosts(options: { enabled: boolean }) {
  const select = ({ domains }: DomainList) =>
    domains.filter(({ isProven, endsAt }) => isProven && !endsAt).map(({ host }) => host)
  return useQuery<DomainList, Error, string[]>({ queryKey: ['/api/domains'], select, ...options })
}

/** The scans of all codes in one call, for a list that sorts or filters by them. */
export function useScansByCode(options: { enabled: boolean }) {
  return useQuery<ScansByCode>({ queryKey: ['/api/analytics/qr-codes'], ...options })
}

/** The ids of an import's codes, for a list that is filtered by it. */
export function useImportedIds(importId: string) {
  const select = (codes: QrCode[]) => new Set(codes.map(({ id }) => id))
  const queryKey = [`/api/qr-codes?importId=${encodeURIComponent(importId)}`]
  return useQuery<QrCode[], Error, Set<string>>({ queryKey, select, enabled: importId !== '' })
}

/** The name of the file that an import was read from; undefined until it is known, or once it is forgotten. */
export function useImportName(importId: string) {
  const queryKey = ['/api/imports', importId]
  return useQuery<ImportEntry>({ queryKey, enabled: importId !== '' }).data?.name
}

/**
 * The scan check of a look. The saved custom path is part of the key, because the check depends on
 * the link. The last verdict stays until the next one arrives.
 */
export function useLegibility({ id, domain, vanityUrl }: QrCode, look: Look) {
  const address = legibilityAddress(id, look)
  return useQuery<Legibility>({
    queryKey: [address, domain, vanityUrl],
    queryFn: () => requestJson('GET', address),
    placeholderData: keepPreviousData,
  })
}

const CREATION_FAILED = 'Failed to create QR code'

/** Makes the draft for one opening of the form. */
export const useMakeDraft = () =>
  useCall(() => requestJson<QrCode>('POST', '/api/qr-codes/draft'), { failed: CREATION_FAILED })

const addressOf = (id: string) => `/api/qr-codes/${id}`

/** Changes a code if it still has the version that the form knows. */
export const saveCode = (id: string, change: CodeChange, version: number) =>
  requestJson<QrCode>('PATCH', addressOf(id), change, { 'If-Match': tagOf(version) })

export const readCode = (id: string) => requestJson<QrCode>('GET', addressOf(id))

export async function makeCode(change: CodeChange): Promise<QrCode> {
  const { id } = await requestJson<QrCode>('POST', '/api/qr-codes/draft')
  return requestJson<QrCode>('PATCH', addressOf(id), change)
}

/** Reports that a code was saved, and reads the list again. */
export function announceSaved(code: QrCode): Promise<void> {
  toast.success('QR code saved successfully!')
  fetchLateVerdict(code)
  return refreshAfterCodeChange()
}

const SAVING_FAILED = 'Failed to save QR code'

/** Reports that a code could not be changed. A code that was deleted elsewhere leaves the list. */
export function reportUnsaved(error: unknown): void {
  reportFailure(error, SAVING_FAILED)
  refreshIfGone(error)
}

const isGone = (error: unknown) => isRefusal(error, 'code_not_found')

function refreshIfGone(error: unknown): void {
  if (isGone(error)) void refreshAfterCodeChange()
}

/** Creates another code like a saved one, with a link of its own. */
export const useDuplicate = () =>
  useCall(
    (code: QrCode) => {
      const names = queryClient.getQueryData<QrCode[]>(LIST)?.map(({ name }) => name) ?? []
      return makeCode(copyOf(code, names))
    },
    {
      done: (copy, { name }) => `“${name}” duplicated as “${copy.name}”`,
      failed: CREATION_FAILED,
      after: (copy) => {
        fetchLateVerdict(copy)
        return refreshAfterCodeChange()
      },
    },
  )

/** The fields of a duplicate: all but the custom path, which can belong to one code only. */
export function copyOf(code: QrCode, names: readonly string[]): CodeChange {
  const { name, url, tags } = code
  return { name: copyName(name, names), url, tags, ...fieldsOf(lookOf(code)) }
}

/** The end of a copy's name; a copy of a copy is one more of the same. */
const COPY = / \(copy(?: \d{1,5})?\)$/

/** "Menu (copy)", or the first of "Menu (copy 2)", "Menu (copy 3)" … that is free. */
export function copyName(name: string, names: readonly string[]): string {
  const taken = new Set(names)
  const original = name.replace(COPY, '')
  for (let number = 1; ; number++) {
    const copy = withSuffix(original, number === 1 ? ' (copy)' : ` (copy ${number})`)
    if (!taken.has(copy)) return copy
  }
}

/** A long name is cut to make room for the suffix, but never in the middle of a character. */
function withSuffix(name: string, suffix: string): string {
  const kept = name.slice(0, NAME_MAX - suffix.length).replace(/[\uD800-\uDBFF]$/, '')
  return kept.trimEnd() + suffix
}

/** Pauses or resumes a code. Visitors of a paused code see a page of ours. A pause can be undone. */
export function useSetActive() {
  const setting = useCall(
    ({ id, isActive }: Pick<QrCode, 'id' | 'isActive'>) =>
      requestJson<QrCode>('PATCH', addressOf(id), { isActive } satisfies CodeChange),
    {
      failed: SAVING_FAILED,
      after: ({ id, isActive }) => {
        if (isActive) toast.success('QR code resumed')
        else toast.undoable('QR code paused', () => setting.mutate({ id, isActive: true }))
        return refreshAfterCodeChange()
      },
      afterFailure: refreshIfGone,
    },
  )
  return setting
}

/** Lets an expired code work again, on a plan whose codes do not end. */
export const useRevive = () =>
  useCall((id: string) => requestJson<QrCode>('POST', `${addressOf(id)}/revive`), {
    done: ({ name }) => `“${name}” works again`,
    failed: 'Failed to revive QR code',
    after: refreshAfterCodeChange,
  })

function useStates<Shown>(id: string, shownOf: (pages: StatesPart[]) => Shown) {
  const path = `${addressOf(id)}/history?limit=${STATES_PAGE}`
  return useInfiniteQuery({
    queryKey: [path],
    queryFn: ({ pageParam }) => requestJson<StatesPart>('GET', path + pageParam),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor && `&cursor=${nextCursor}`,
    select: ({ pages }) => shownOf(pages),
  })
}

/** The states that a code has had, newest first. */
export const useHistory = (id: string) =>
  useStates(id, (pages) => pages.flatMap(({ items }) => items))

/** The last change of a code: the person, and the time. */
export const useLastChange = (id: string) => useStates(id, ([first]) => first?.lastChange ?? null)

/** Brings back a state that a code has had. */
export const useRestoreState = (id: string) =>
  useCall(
    (state: string) => requestJson<QrCode>('POST', `${addressOf(id)}/history/${state}/restore`),
    {
      done: ({ name }) => `“${name}” is as it was`,
      failed: SAVING_FAILED,
      after: refreshAfterCodeChange,
    },
  )

/** Deletes a code. Returns 'before' if it had been deleted elsewhere, which is as good. */
export async function deleteCode(id: string): Promise<'now' | 'before'> {
  leavingCodes.add(id)
  try {
    await request('DELETE', addressOf(id))
    return 'now'
  } catch (error) {
    if (isGone(error)) return 'before'
    leavingCodes.delete(id)
    throw error
  }
}

/** Deletes a code, which can be undone: it comes back from the trash. */
export function useDeleteCode() {
  const { mutate: restore } = useRestore()
  return useMutation({
    mutationFn: deleteCode,
    onSuccess: (deleted, id) => {
      if (deleted === 'now') toast.undoable('QR code deleted successfully', () => restore(id))
      else toast.success('This QR code was already deleted somewhere else')
      return refreshAfterCodeChange()
    },
    onError: (error) => reportPlainFailure(error, 'Failed to delete QR code'),
  })
}

/** The deleted codes that can be restored, the last deleted first. */
export function useBin() {
  return useQuery<BinnedCode[]>({ queryKey: ['/api/qr-codes/bin'] })
}

export const restoreCode = (id: string) => requestJson<QrCode>('POST', `${addressOf(id)}/restore`)

export const useRestore = () =>
  useCall(restoreCode, {
    done: 'QR code restored',
    failed: 'Failed to restore QR code',
    after: refreshAfterCodeChange,
    afterFailure: refreshIfGone,
  })

/** A check takes a tenth of a second and may wait for others. */
const VERDICT_MS = 2_000

/** The server checks a new look after it is saved, so the list is read once more for the verdict. */
export function fetchLateVerdict({ id }: QrCode): void {
  setTimeout(() => {
    const code = queryClient.getQueryData<QrCode[]>(LIST)?.find((one) => one.id === id)
    if (code?.legibility === null) queryClient.invalidateQueries({ queryKey: LIST, exact: true })
  }, VERDICT_MS)
}

/** Whether the list, as it was last read, has a code. */
export const isListed = (id: string): boolean =>
  queryClient.getQueryData<QrCode[]>(LIST)?.some((code) => code.id === id) ?? false
