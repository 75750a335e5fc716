import { Button } from '@mantine/core'
import type { QrCode } from '#contract/codes.ts'
import type { Look } from '#qr/symbol/look.ts'
import { useLegibility } from '../queries.ts'
import { scanVerdicts } from '../scan-verdicts.ts'
import { ShortNote } from '../short-note.tsx'
import { type PrintNote, ShortNotes } from './before-printing.tsx'
import styles from './save-bar.module.css'

/** Names the short notes, which describe every button that commits to the code as it is. */
export const NOTES_ID = 'print-notes'

type Props = {
  code: QrCode | undefined
  look: Look
  /** The live preview, for a screen on which it is out of sight while the form is filled in. */
  picture: string | undefined
  notes: readonly PrintNote[]
  saving: boolean
  onCancel: () => void
}

/** Always in view, and with it what must be known before Save, and before the files above it. */
export function SaveBar({ code, look, picture, notes, saving, onCancel }: Props) {
  return (
    <div className={styles.bar}>
      {picture && <img src={picture} alt="" width={44} height={44} className={styles.picture} />}
      <div id={NOTES_ID} className={styles.notes}>
        {code && <VerdictNote code={code} look={look} />}
        <ShortNotes notes={notes} />
      </div>
      <div className={styles.buttons}>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" disabled={saving || !code} aria-describedby={NOTES_ID}>
          {saving ? 'Saving...' : 'Save QR Code'}
        </Button>
      </div>
    </div>
  )
}

/** Only what speaks against printing: a good verdict stands under the picture. */
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
