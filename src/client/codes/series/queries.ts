import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { QrCode } from '#contract/codes.ts'
import type { Sheet } from '#contract/label-sheets.ts'
import type { LabelsCall, SeriesAsked } from '#contract/series.ts'
import { requestJson } from '../../api.ts'
import { type Arrived, fetchArriving } from '../../arriving-file.ts'
import { refreshAfterCodeChange } from '../../query-client.ts'
import { saveFile } from '../../save-file.ts'
import { reportFailure } from '../../ui/messages/failure.ts'
import { drawNames } from './drawn-names.ts'

/** Makes all codes in one call: all of them, or none. */
export function useMakeSeries() {
  return useMutation({
    mutationFn: (series: SeriesAsked) =>
      requestJson<QrCode[]>('POST', '/api/qr-codes/bulk', series),
    onSuccess: () => void refreshAfterCodeChange(),
    onError: (error) => reportFailure(error, 'Failed to create QR codes'),
  })
}

export type SeriesFile = 'labels' | 'pictures'

const FAILED = 'The download broke off. Please try again.'

/** Downloads of a series' files, one at a time. They end with the dialog. */
export function useSeriesFiles(codes: readonly QrCode[]) {
  const [busy, setBusy] = useState<{ file: SeriesFile; arrived: Arrived | null } | null>(null)
  const way = useRef(new AbortController())
  useEffect(() => () => way.current.abort(), [])

  const run = async (file: SeriesFile, fetchFile: (asked: Way) => Promise<[Blob, string]>) => {
    way.current = new AbortController()
    const { signal } = way.current
    setBusy({ file, arrived: null })
    try {
      const [blob, name] = await fetchFile({
        signal,
        tell: (arrived) => setBusy({ file, arrived }),
      })
      saveFile(blob, name)
    } catch (error) {
      if (!signal.aborted) reportFailure(error, FAILED)
    }
    setBusy(null)
  }
  const ids = () => codes.map(({ id }) => id)
  const labels = (sheet: Sheet) =>
    run('labels', async (asked) => {
      const body: LabelsCall = { ids: ids(), ...sheet, drawnNames: await drawNames(codes, sheet) }
      const file = { path: '/api/qr-codes/labels', body, type: 'application/pdf' }
      return [await fetchArriving({ ...file, mark: '/Type/Page/', ...asked }), 'labels.pdf']
    })
  const pictures = () =>
    run('pictures', async (asked) => {
      const file = { path: '/api/qr-codes/pictures', body: { ids: ids() }, type: 'application/zip' }
      return [await fetchArriving({ ...file, mark: 'PK\u0003\u0004', ...asked }), 'qr_codes.zip']
    })
  return { busy, labels, pictures }
}

type Way = { signal: AbortSignal; tell: (arrived: Arrived) => void }
