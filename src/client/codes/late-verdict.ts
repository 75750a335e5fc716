import type { QrCode } from '#contract/codes.ts'
import { queryClient } from '../query-client.ts'

/** A check takes a tenth of a second, and others may wait before it. */
const VERDICT_MS = 2_000
const LIST = ['/api/qr-codes']

/** A look that was never checked is checked after its save: the list then asks once more. */
export function fetchLateVerdict({ id }: QrCode): void {
  setTimeout(() => {
    const code = queryClient.getQueryData<QrCode[]>(LIST)?.find((one) => one.id === id)
    if (code?.legibility === null) queryClient.invalidateQueries({ queryKey: LIST, exact: true })
  }, VERDICT_MS)
}
