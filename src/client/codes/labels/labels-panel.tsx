import { Box, Progress, Stack, Text } from '@mantine/core'
import { FolderDown, OctagonX, Printer } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { QrCode } from '#contract/codes/codes.ts'
import { type LabelLayout, layOutLabel, NAME_HEIGHT } from '#contract/labels/label-layout.ts'
import { pagesOf, perPage } from '#contract/labels/label-sheets.ts'
import { type LabelsCall, sheetOf } from '#contract/labels/labels-asked.ts'
import {
  type Arrived,
  type ArrivingFile,
  useArrivingFile,
  ZIP_MARK,
} from '../../files/arriving-file.ts'
import { counted, lengthText } from '../../formats.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { Columns } from '../../ui/columns.tsx'
import { DialogBar, useOnPhone } from '../../ui/dialog/dialog.tsx'
import { Quiet } from '../../ui/quiet.tsx'
import { hostOf, linkOf } from '../links.ts'
import { inSentence, unreadableNames } from '../list/questions.tsx'
import { Note } from '../note.tsx'
import { useOwner } from '../owner.ts'
import { CaptionFields, labelTexts } from './caption-fields.tsx'
import { drawNames } from './drawn-names.ts'
import styles from './labels.module.css'
import { askedSheet, captionOf, useSheetChoice } from './sheet-choice.ts'
import { SheetFields } from './sheet-fields.tsx'
import { SheetPreview } from './sheet-preview.tsx'

type Props = {
  codes: readonly QrCode[]
  /** Offers the zip of all pictures as well. */
  hasPictures?: boolean
  onClose: () => void
}

/** The labels of codes: on which sheet, with which text, and how that looks. */
export function LabelsPanel({ codes, hasPictures, onClose }: Props) {
  const { hostUrl } = useOwner()
  const sheetChoice = useSheetChoice()
  const { choice, isComplete, shown } = sheetChoice
  const [asked, setFirst] = useState(1)
  const [pasted, setPasted] = useState('')
  const { busy, arrived, save } = useCodesFiles()
  const read = useMemo(() => labelTexts(pasted, codes), [pasted, codes])
  const [sheet, caption] = [sheetOf(askedSheet(shown)), captionOf(shown)]
  const first = choice.kind === 'plain' ? 1 : Math.min(asked, perPage(sheet))
  const layout = layOutLabel(sheet, caption)
  const texts = choice.text === 'texts' ? read.texts : {}
  const problem = choice.text === 'texts' ? read.problem : null
  const onSheet = codes.slice(0, perPage(sheet) - (first - 1)).map((code) => ({
    code,
    name: texts[code.id] ?? code.name,
    link: hostOf(linkOf(hostUrl, code)),
  }))
  const pages = pagesOf(sheet, codes.length, first)
  const ids = codes.map(({ id }) => id)
  const labels = async () => {
    const named = codes.map(({ id, name }) => ({ id, name: texts[id] ?? name }))
    const line = layout.name
    const drawnNames = line ? await drawNames(named, { ...line, height: NAME_HEIGHT }) : {}
    const body: LabelsCall = {
      ids,
      ...askedSheet(shown),
      first,
      caption,
      captions: texts,
      drawnNames,
    }
    const path = '/api/qr-codes/labels'
    return { path, body, type: 'application/pdf', mark: '/Type/Page/', name: 'labels.pdf' }
  }
  const pictures = () => ({
    path: '/api/qr-codes/pictures',
    body: { ids },
    type: 'application/zip',
    mark: ZIP_MARK,
    name: 'qr_codes.zip',
  })
  return (
    <>
      <Columns widths="minmax(0, 1fr) minmax(0, 340px)" isStacked={useOnPhone()}>
        <Stack gap="md">
          <SheetFields {...sheetChoice} first={asked} sheet={sheet} onFirst={setFirst} />
          <CaptionFields
            {...sheetChoice}
            pasted={pasted}
            read={read}
            count={codes.length}
            onPasted={setPasted}
          />
        </Stack>
        <div className={styles.preview}>
          <SheetPreview
            sheet={sheet}
            layout={layout}
            first={first}
            pages={pages}
            labels={onSheet}
          />
          <Text size="sm" role="status">
            {isComplete
              ? `${counted(codes.length, 'label')} on ${counted(pages, 'sheet')}. ${readingText(layout)}`
              : 'Fix the sizes marked in red to create these labels.'}
          </Text>
        </div>
      </Columns>
      <Unreadable codes={codes} />
      <Quiet mt="md">
        Print at 100%, without “Fit to page”, and test on one sheet of plain paper first.
      </Quiet>
      {arrived && <Arriving arrived={arrived} />}
      <DialogBar
        onClose={onClose}
        closeText="Done"
        buttons={
          <>
            {hasPictures && (
              <BusyButton
                variant="default"
                leftSection={<FolderDown size={18} />}
                busy={busy !== null}
                busyText={busy === 'pictures' ? 'Creating ZIP...' : 'All pictures (ZIP)'}
                onClick={() => void save('pictures', pictures)}
              >
                All pictures (ZIP)
              </BusyButton>
            )}
            <BusyButton
              data-autofocus
              leftSection={<Printer size={18} />}
              busy={busy !== null}
              busyText={busy === 'labels' ? 'Creating labels...' : 'Labels (PDF)'}
              disabled={!isComplete || problem !== null || codes.length === 0}
              onClick={() => void save('labels', labels)}
            >
              Labels (PDF)
            </BusyButton>
          </>
        }
      />
    </>
  )
}

/** A code of a short link, without its quiet zone, is read from ten times its width. */
const CENTIMETRES_PER_MM = 0.75
/** The Help Center's advice */
const SMALL_MM = 20

function readingText({ code }: LabelLayout): string {
  const far = Math.floor(CENTIMETRES_PER_MM * code.edge)
  const size = `Each code is ${lengthText(Math.floor(code.edge)).replace(' ', '\u00a0')} wide, including its margin.`
  return code.edge < SMALL_MM
    ? `${size} That’s small: phones scan it from about ${far}\u00a0cm.`
    : `${size} Phones scan it from about ${far}\u00a0cm.`
}

function Unreadable({ codes }: Pick<Props, 'codes'>) {
  const names = unreadableNames(codes)
  if (names.length === 0) return null
  return (
    <Note icon={OctagonX} mt="md">
      Our test scanner can’t read {inSentence(names)}. Choose other colors for{' '}
      {names.length === 1 ? 'it' : 'them'} before you print labels.
    </Note>
  )
}

/** The server checks every code before it sends the first byte: until then there is nothing to count. */
function Arriving({ arrived: { parts, total, bytes } }: { arrived: Arrived }) {
  const isChecking = bytes === 0
  const percent = total > 0 ? (100 * parts) / total : 0
  return (
    <Box role="status" mt="md">
      <Text size="sm" mb={4}>
        {isChecking ? 'Checking that each code scans' : `${parts} of ${total}`}
      </Text>
      <Progress value={isChecking ? 100 : percent} animated={isChecking} aria-label="Progress" />
    </Box>
  )
}

type CodesFile = 'labels' | 'pictures'

/** The downloads, one at a time. They end with the dialog. */
function useCodesFiles() {
  const [busy, setBusy] = useState<CodesFile | null>(null)
  const { arrived, fetchFile } = useArrivingFile('The download didn’t finish. Please try again.')
  const save = async (file: CodesFile, prepare: () => ArrivingFile | Promise<ArrivingFile>) => {
    setBusy(file)
    await fetchFile(prepare)
    setBusy(null)
  }
  return { busy, arrived, save }
}
