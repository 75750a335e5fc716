import { useMutation } from '@tanstack/react-query'
import type { QrCode } from '#contract/codes.ts'
import type { SeriesAsked } from '#contract/series.ts'
import { requestJson } from '../../api.ts'
import { refreshAfterCodeChange } from '../../query-client.ts'
import { reportFailure } from '../../ui/messages/failure.ts'

/** Makes all codes in one call: all of them, or none. */
export function useMakeSeries() {
  return useMutation({
    mutationFn: (series: SeriesAsked) =>
      requestJson<QrCode[]>('POST', '/api/qr-codes/bulk', series),
    onSuccess: () => void refreshAfterCodeChange(),
    onError: (error) => reportFailure(error, 'Failed to create QR codes'),
  })
}
