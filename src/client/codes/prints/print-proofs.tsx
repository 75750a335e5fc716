import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ScanSearch } from 'lucide-react'
import type { QrCode } from '#contract/codes/codes.ts'
import type {
  CheckedPrint,
  PrintProof,
  PrintReading,
  ProofVerdict,
} from '#contract/pictures/scan-checks.ts'
import { requestJson } from '../../api.ts'
import { capitalized, formatDay } from '../../formats.ts'
import { queryClient } from '../../query-client.ts'
import { useCall } from '../../ui/call.ts'
import { PlainButton } from '../../ui/plain-button.tsx'
import rows from '../../ui/rows.module.css'
import { printAddress } from '../addresses.ts'

const addressOf = (id: string) => `/api/qr-codes/${id}/print-proofs`

/** The last checks of a code's prints, the last first. */
export function usePrintProofs(id: string) {
  return useQuery<PrintProof[]>({ queryKey: [addressOf(id)] })
}

/** Asks whose link a photo shows, and keeps the check with the code. Its caller shows a failure. */
export function useKeepProof(id: string) {
  const refresh = () => queryClient.invalidateQueries({ queryKey: [addressOf(id)] })
  return useCall(
    (reading: PrintReading) => requestJson<CheckedPrint>('POST', addressOf(id), reading),
    { after: refresh },
  )
}

/** The last check of a code's print, and a button for the next one. */
export function LastCheck({ code }: { code: QrCode }) {
  const { data } = usePrintProofs(code.id)
  const last = data?.[0]
  return (
    <Stack gap={8} align="flex-start">
      {last && (
        <Text size="sm" className={rows.words}>
          {proofText(last, code.url)}
        </Text>
      )}
      <PlainButton
        size="sm"
        leftSection={<ScanSearch size={16} />}
        onClick={() => printAddress.open(code.id)}
      >
        Check a print
      </PlainButton>
    </Stack>
  )
}

const verdictWords: Record<ProofVerdict, string> = {
  reads: 'it scans',
  'other-code': 'this was another of your codes',
  'other-address': 'this led somewhere else',
  dark: 'the photo was too dark',
  blurred: 'the photo was blurry',
  glare: 'light hid a part of the code',
  'cut-off': 'part of the code wasn’t in the photo',
  'no-code': 'the photo had no code in it',
  unclear: 'the code couldn’t be read',
}

/** "Print checked on Nov 23, 2026: it scans and leads to https://…" */
export function proofText({ verdict, checkedAt }: PrintProof, url: string): string {
  const what = verdict === 'reads' ? `it scans and leads to ${url}` : verdictWords[verdict]
  return `Print checked on ${formatDay(checkedAt)}: ${what}`
}

/** The result of a check, for a list with dates. */
export const verdictText = (verdict: ProofVerdict) => capitalized(verdictWords[verdict])
