import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import type { BinnedCode, CodeChange, QrCode } from '#contract/codes.ts'
import type { Legibility } from '#qr/scan-check/verdict.ts'
import type { Look } from '#qr/symbol/look.ts'
import { request, requestJson } from '../api.ts'
import { refreshAfterCodeChange } from '../query-client.ts'
import { reportFailure, reportPlainFailure } from '../ui/failure.ts'
import { toast } from '../ui/toast.tsx'
import { copyOf } from './copy.ts'
import { legibilityAddress } from './image-address.ts'
import { fetchLateVerdict } from './late-verdict.ts'

/** All codes of the account, newest first as the server sorts them. */
export function useCodes(options: { enabled: boolean }) {
  return useQuery<QrCode[]>({ queryKey: ['/api/qr-codes'], ...options })
}

/**
 * The scan check of a look, for as long as the code's link is the saved one. The last verdict stays
 * while the next is awaited.
 */
export function useLegibility({ id, vanityUrl }: QrCode, look: Look) {
  const address = legibilityAddress(id, look)
  return useQuery<Legibility>({
    queryKey: [address, vanityUrl],
    queryFn: () => requestJson('GET', address),
    placeholderData: keepPreviousData,
  })
}

/** Makes the draft of one opening of the form. */
export function useMakeDraft() {
  return useMutation({
    mutationFn: () => requestJson<QrCode>('POST', '/api/qr-codes/draft'),
    onError: (error) => reportFailure(error, 'Failed to create QR code'),
  })
}

type Save = { id: string; change: CodeChange }

export function useSaveCode() {
  return useMutation({
    mutationFn: ({ id, change }: Save) =>
      requestJson<QrCode>('PATCH', `/api/qr-codes/${id}`, change),
    onSuccess: (code) => {
      toast.success('QR code saved successfully!')
      fetchLateVerdict(code)
      return refreshAfterCodeChange()
    },
    onError: (error) => reportFailure(error, 'Failed to save QR code'),
  })
}

/** Makes another code like a saved one, on a link of its own. */
export function useDuplicate() {
  return useMutation({
    mutationFn: async (code: QrCode) => {
      const { id } = await requestJson<QrCode>('POST', '/api/qr-codes/draft')
      return requestJson<QrCode>('PATCH', `/api/qr-codes/${id}`, copyOf(code))
    },
    onSuccess: (copy) => {
      toast.success('QR code duplicated')
      fetchLateVerdict(copy)
      return refreshAfterCodeChange()
    },
    onError: (error) => reportFailure(error, 'Failed to create QR code'),
  })
}

/** Pauses or resumes: a paused code answers its visitors with a page of ours. */
export function useSetActive() {
  return useMutation({
    mutationFn: ({ id, isActive }: Pick<QrCode, 'id' | 'isActive'>) =>
      requestJson<QrCode>('PATCH', `/api/qr-codes/${id}`, { isActive } satisfies CodeChange),
    onSuccess: ({ isActive }) => {
      toast.success(isActive ? 'QR code resumed' : 'QR code paused')
      return refreshAfterCodeChange()
    },
    onError: (error) => reportFailure(error, 'Failed to save QR code'),
  })
}

export function useDeleteCode() {
  return useMutation({
    mutationFn: (id: string) => request('DELETE', `/api/qr-codes/${id}`),
    onSuccess: () => {
      toast.success('QR code deleted successfully')
      return refreshAfterCodeChange()
    },
    onError: (error) => reportPlainFailure(error, 'Failed to delete QR code'),
  })
}

/** What was deleted and can be restored, deleted last first. */
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
    onError: (error) => reportFailure(error, 'Failed to restore QR code'),
  })
}
