import { useMutation, useQuery } from '@tanstack/react-query'
import type { CheckedPrint, PrintProof, PrintReading } from '#contract/pictures/scan-checks.ts'
import { requestJson } from '../../api.ts'
import { queryClient } from '../../query-client.ts'

const addressOf = (id: string) => `/api/qr-codes/${id}/print-proofs`

/** The last checks of a code's prints, the last first. */
export function usePrintProofs(id: string) {
  return useQuery<PrintProof[]>({ queryKey: [addressOf(id)] })
}

/** Asks whose link a photo shows, and keeps the check with the code. Its caller shows a failure. */
export function useKeepProof(id: string) {
  return useMutation({
    mutationFn: (reading: PrintReading) =>
      requestJson<CheckedPrint>('POST', addressOf(id), reading),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [addressOf(id)] }),
  })
}
