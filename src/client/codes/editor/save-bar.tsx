import { Button, Group } from '@mantine/core'
import type { QrCode } from '#contract/codes/codes.ts'
import type { Look } from '#qr/symbol/look.ts'
import { useStacked } from '../../ui/columns.tsx'
import { DialogBar } from '../../ui/dialog/dialog.tsx'
import { ShortNote } from '../note.tsx'
import { useLegibility } from '../queries.ts'
import { scanVerdicts } from '../scan-verdicts.ts'
import thumbnail from '../thumbnail.module.css'
import { VERDICT_ID } from './code-preview.tsx'
import type { OpenForm } from './open-form.ts'
import { NOTES_ID, PrintNotes } from './printing/before-printing.tsx'
import { UndoButtons } from './undo-buttons.tsx'

/** Always in view. On a phone it shows the picture and a bad verdict while these are out of sight. */
export function SaveBar(open: OpenForm) {
  const { code, isGone, look, saving, history, leave } = open
  const isStacked = useStacked()
  const picture = open.isPictureSeen ? undefined : open.picture
  return (
    <DialogBar
      onClose={leave}
      buttons={
        <Button
          type="submit"
          disabled={saving || !code || isGone}
          aria-describedby={`${VERDICT_ID} ${NOTES_ID}`}
        >
          {saving ? 'Saving...' : 'Save QR Code'}
        </Button>
      }
    >
      {picture && isStacked && (
        <Group gap={12} wrap="nowrap">
          <img src={picture} alt="" width={44} height={44} className={thumbnail.picture} />
          {code && !isGone && <VerdictNote code={code} look={look} />}
        </Group>
      )}
      <UndoButtons {...history} />
      <PrintNotes notes={open.notes} flex="1 1 200px" />
    </DialogBar>
  )
}

/** Shows only a bad verdict. A good one is shown under the picture. */
function VerdictNote({ code, look }: { code: QrCode; look: Look }) {
  const { data } = useLegibility(code, look)
  const shown = data && scanVerdicts[data.verdict]
  if (!shown?.warning) return null
  return (
    <ShortNote icon={shown.icon} grave={data?.verdict === 'unreadable'}>
      {shown.warning}
    </ShortNote>
  )
}
