import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import type { ScansByCode } from '#contract/analytics/analytics.ts'
import { tagOf } from '#contract/code-values.ts'
import type { BinnedCode, CodeChange, QrCode } from '#contract/codes.ts'
import type { Legibility } from '#qr/scan-check/verdict.ts'
import type { Look } from '#qr/symbol/look.ts'
import { isRefusal, request, requestJson } from '../api.ts'
import { leavingCodes, queryClient, refreshAfterCodeChange } from '../query-client.ts'
import { reportFailure, reportPlainFailure } from '../ui/messages/failure.ts'
import { toast } from '../ui/messages/toast.tsx'
import { copyOf } from './copy-of.ts'
import { legibilityAddress } from './image-address.ts'

/** All codes of the account, newest first as the server sorts them. */
export function useCodes(options: { enabled: boolean }) {
  return useQuery<QrCode[]>({ queryKey: ['/api/qr-codes'], ...options })
}

/** The scans of all codes in one call, for a list that sorts or filters by them. */
export function useScansByCode(options: { enabled: boolean }) {
  return useQuery<ScansByCode>({ queryKey: ['/api/analytics/qr-codes'], ...options })
}

/**
 * The scan check of a look. The saved custom path is part of the key, because the check depends on
 * the link. The last verdict stays until the next one arrives.
 */
export function useLegibility({ id, vanityUrl }: QrCode, look: Look) {
  const address = legibilityAddress(id, look)
  return useQuery<Legibility>({
    queryKey: [address, vanityUrl],
    queryFn: () => requestJson('GET', address),
    placeholderData: keepPreviousData,
  })
}

/** Makes the draft for one opening of the form. */
export function useMakeDraft() {
  return useMutation({
    mutationFn: () => requestJson<QrCode>('POST', '/api/qr-codes/draft'),
    onError: (error) => reportFailure(error, 'Failed to create QR code'),
  })
}

const addressOf = (id: string) => `/api/qr-codes/${id}`

/** Changes a code if it still has the version that the form knows. */
export const saveCode = (id: string, change: CodeChange, version: number) =>
  requestJson<QrCode>('PATCH', addressOf(id), change, { 'If-Match': tagOf(version) })

export const readCode = (id: string) => requestJson<QrCode>('GET', addressOf(id))

export async function makeCode(change: CodeChange): Promise<QrCode> {
  const { id } = await requestJson<QrCode>('POST', '/api/qr-codes/draft')
  return requestJson<QrCode>('PATCH', addressOf(id), change)
}

/** Says that a code was saved, and shows it. */
export function announceSaved(code: QrCode): Promise<void> {
  toast.success('QR code saved successfully!')
  fetchLateVerdict(code)
  return refreshAfterCodeChange()
}

/** Tells that a code could not be changed. One that is gone elsewhere leaves the list. */
export function reportUnsaved(error: unknown): void {
  reportFailure(error, 'Failed to save QR code')
  refreshIfGone(error)
}

const isGone = (error: unknown) => isRefusal(error, 'code_not_found')

function refreshIfGone(error: unknown): void {
  if (isGone(error)) void refreshAfterCodeChange()
}

/** Makes another code like a saved one, with a link of its own. */
export function useDuplicate() {
  return useMutation({
    mutationFn: (code: QrCode) => {
      const names = queryClient.getQueryData<QrCode[]>(LIST)?.map(({ name }) => name) ?? []
      return makeCode(copyOf(code, names))
    },
    onSuccess: (copy, { name }) => {
      toast.success(`“${name}” duplicated as “${copy.name}”`)
      fetchLateVerdict(copy)
      return refreshAfterCodeChange()
    },
    onError: (error) => reportFailure(error, 'Failed to create QR code'),
  })
}

/** Pauses or resumes a code. Visitors of a paused code see a page of ours. A pause can be taken back. */
export function useSetActive() {
  const setting = useMutation({
    mutationFn: ({ id, isActive }: Pick<QrCode, 'id' | 'isActive'>) =>
      requestJson<QrCode>('PATCH', addressOf(id), { isActive } satisfies CodeChange),
    onSuccess: ({ id, isActive }) => {
      if (isActive) toast.success('QR code resumed')
      else toast.undoable('QR code paused', () => setting.mutate({ id, isActive: true }))
      return refreshAfterCodeChange()
    },
    onError: reportUnsaved,
  })
  return setting
}

/** Lets an expired code work again, on a plan whose codes do not end. */
export function useRevive() {
  return useMutation({
    mutationFn: (id: string) => requestJson<QrCode>('POST', `${addressOf(id)}/revive`),
    onSuccess: ({ name }) => {
      toast.success(`“${name}” works again`)
      return refreshAfterCodeChange()
    },
    onError: (error) => reportFailure(error, 'Failed to revive QR code'),
  })
}

/** Deletes a code, and says whether somebody had done so before: then all is as it was wanted. */
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

export function useDeleteCode() {
  return useMutation({
    mutationFn: deleteCode,
    onSuccess: (deleted) => {
      toast.success(
        deleted === 'now'
          ? 'QR code deleted successfully'
          : 'This QR code had already been deleted somewhere else',
      )
      return refreshAfterCodeChange()
    },
    onError: (error) => reportPlainFailure(error, 'Failed to delete QR code'),
  })
}

/** The deleted codes that can be restored, the last deleted first. */
export function useBin() {
  return useQuery<BinnedCode[]>({ queryKey: ['/api/qr-codes/bin'] })
}

export function useRestore() {
  return useMutation({
    mutationFn: (id: string) => requestJson<QrCode>('POST', `/api/qr-codes/${id}/restore`),
    onSuccess: () => {
      toast.success('QR code restored')
      return refreshAfterCodeChange()
    },
    onError: (error) => {
      reportFailure(error, 'Failed to restore QR code')
      refreshIfGone(error)
    },
  })
}

/** A check takes a tenth of a second and may wait for others. */
const VERDICT_MS = 2_000
const LIST = ['/api/qr-codes']

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
