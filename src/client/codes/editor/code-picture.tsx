import { Stack } from '@mantine/core'
import type { ComponentProps, Ref } from 'react'
import type { QrCode } from '#contract/codes.ts'
import type { Values } from '../../kept-form.ts'
import { LastCheck } from '../prints/print-proofs.tsx'
import styles from './code-form.module.css'
import { CodePreview } from './code-preview.tsx'
import { NOTES_ID, type PrintNote, PrintNotes } from './printing/before-printing.tsx'
import { Downloads } from './printing/downloads.tsx'
import type { FileSizes } from './printing/file-sizes.tsx'
import { useStacked } from './stacked.ts'

type Props = ComponentProps<typeof CodePreview> & {
  frame: Ref<HTMLDivElement>
  /** The code, if it is saved and not gone: then there are files. */
  saved: QrCode | undefined
  values: Values
  notes: readonly PrintNote[]
  sizes: FileSizes
}

/** The picture with its verdict and its files. On a desk it stays in view while the fields scroll. */
export function CodePicture({ frame, saved, values, notes, sizes, ...preview }: Props) {
  const isStacked = useStacked()
  return (
    <Stack gap="sm" miw={0} className={styles.picture}>
      <div ref={frame}>
        <CodePreview {...preview} />
      </div>
      {saved && <Downloads code={saved} values={values} checked={preview.look} sizes={sizes} />}
      {notes.length > 0 && (
        <Stack id={NOTES_ID} gap={4}>
          <PrintNotes notes={notes} />
        </Stack>
      )}
      {saved && !isStacked && <LastCheck code={saved} />}
    </Stack>
  )
}
