import { useEffect, useRef, useState } from 'react'
import type { QrCode } from '#contract/codes.ts'
import { layOutLabel, NAME_HEIGHT } from '#contract/labels/label-layout.ts'
import { type LabelsCall, sheetOf } from '#contract/labels/labels-asked.ts'
import { type Arrived, fetchArriving } from '../../files/arriving-file.ts'
import { saveFile } from '../../files/save-file.ts'
import { reportFailure } from '../../ui/messages/failure.ts'
import { drawNames } from './drawn-names.ts'
import { askedSheet, captionOf, type SheetChoice } from './sheet-choice.ts'

type CodesFile = 'labels' | 'pictures'

const FAILED = 'The download broke off. Please try again.'

/** Downloads of a series' files, one at a time. They end with the dialog. */
export function useCodesFiles(codes: readonly QrCode[]) {
  const [busy, setBusy] = useState<{ file: CodesFile; arrived: Arrived | null } | null>(null)
  const way = useRef(new AbortController())
  useEffect(() => () => way.current.abort(), [])

  const run = async (file: CodesFile, fetchFile: (asked: Way) => Promise<[Blob, string]>) => {
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
  const labels = ({ choice, first, texts }: LabelsChoice) =>
    run('labels', async (asked) => {
      const [sheet, caption] = [askedSheet(choice), captionOf(choice)]
      const captions = choice.text === 'texts' ? texts : {}
      const named = codes.map(({ id, name }) => ({ id, name: captions[id] ?? name }))
      const line = layOutLabel(sheetOf(sheet), caption).name
      const drawnNames = line ? await drawNames(named, { ...line, height: NAME_HEIGHT }) : {}
      const body: LabelsCall = { ids: ids(), ...sheet, first, caption, captions, drawnNames }
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

type LabelsChoice = {
  choice: SheetChoice
  /** The first free label of a sheet that was begun, from 1 */
  first: number
  /** In place of names, by the id of their code */
  texts: Readonly<Record<string, string>>
}

type Way = { signal: AbortSignal; tell: (arrived: Arrived) => void }
