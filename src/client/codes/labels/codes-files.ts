import { useState } from 'react'
import type { QrCode } from '#contract/codes.ts'
import { layOutLabel, NAME_HEIGHT } from '#contract/labels/label-layout.ts'
import { type LabelsCall, sheetOf } from '#contract/labels/labels-asked.ts'
import { type ArrivingFile, useArrivingFile, ZIP_MARK } from '../../files/arriving-file.ts'
import { drawNames } from './drawn-names.ts'
import { askedSheet, captionOf, type SheetChoice } from './sheet-choice.ts'

type CodesFile = 'labels' | 'pictures'

type LabelsChoice = {
  choice: SheetChoice
  /** The first free label of a sheet that was begun, from 1 */
  first: number
  /** Replace the names, by the id of their code */
  texts: Readonly<Record<string, string>>
}

/** The downloads of a series, one at a time. They end with the dialog. */
export function useCodesFiles(codes: readonly QrCode[]) {
  const [busy, setBusy] = useState<CodesFile | null>(null)
  const { arrived, fetchFile } = useArrivingFile('The download didn’t finish. Please try again.')
  const ids = codes.map(({ id }) => id)
  const run = async (file: CodesFile, prepare: () => ArrivingFile | Promise<ArrivingFile>) => {
    setBusy(file)
    await fetchFile(prepare)
    setBusy(null)
  }
  const labels = ({ choice, first, texts }: LabelsChoice) =>
    run('labels', async () => {
      const [sheet, caption] = [askedSheet(choice), captionOf(choice)]
      const captions = choice.text === 'texts' ? texts : {}
      const named = codes.map(({ id, name }) => ({ id, name: captions[id] ?? name }))
      const line = layOutLabel(sheetOf(sheet), caption).name
      const drawnNames = line ? await drawNames(named, { ...line, height: NAME_HEIGHT }) : {}
      const body: LabelsCall = { ids, ...sheet, first, caption, captions, drawnNames }
      const path = '/api/qr-codes/labels'
      return { path, body, type: 'application/pdf', mark: '/Type/Page/', name: 'labels.pdf' }
    })
  const pictures = () =>
    run('pictures', () => ({
      path: '/api/qr-codes/pictures',
      body: { ids },
      type: 'application/zip',
      mark: ZIP_MARK,
      name: 'qr_codes.zip',
    }))
  return { busy, arrived, labels, pictures }
}
