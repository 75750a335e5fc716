import { Stack, Text, Title } from '@mantine/core'
import { Link as LinkIcon, Plus, Share } from 'lucide-react'
import type { ReactNode } from 'react'
import { lookOf } from '#contract/pictures/pictures.ts'
import { Columns, useStacked } from '../../ui/columns.tsx'
import { DialogBar } from '../../ui/dialog/dialog.tsx'
import { PlainButton } from '../../ui/plain-button.tsx'
import { PlansLink } from '../../ui/plans-link.tsx'
import type { ReadyProps } from '../address-dialogs.tsx'
import { CodePreview } from '../editor/code-preview.tsx'
import { END_ICON, NOTES_ID, printNotes } from '../editor/printing/before-printing.tsx'
import { Downloads } from '../editor/printing/downloads.tsx'
import { SizeFields, useFileSizes } from '../editor/printing/file-sizes.tsx'
import { valuesOf } from '../editor/values.ts'
import { imageAddress } from '../files.ts'
import { canShare, copyLink, linkOf, shareLink } from '../links.ts'
import { Note } from '../note.tsx'
import { useOwner } from '../owner.ts'
import { LastCheck } from '../prints/print-proofs.tsx'

type Props = ReadyProps & { scan: ReactNode }

const PICTURE_PX = 480

/** A code that has just been saved for the first time, and what people do with it next. */
export function ReadyCode({ code, scan, onDone, onAnother }: Props) {
  const { tier, isDemo, hostUrl } = useOwner()
  const sizes = useFileSizes()
  const look = lookOf(code)
  const link = linkOf(hostUrl, code)
  const notes = printNotes({ code, isNew: false, tier, link, isDemo }, new Date())
  const kept = { size: String(PICTURE_PX), v: code.pictureVersion }
  return (
    <>
      <Columns widths="264px minmax(0, 1fr)" isStacked={useStacked()}>
        <div>
          <Text fw={600} mb={8} ta="center" truncate>
            {code.name}
          </Text>
          <CodePreview
            code={code}
            failed={false}
            picture={imageAddress(code.id, 'png', look, kept)}
            look={look}
            link={link}
            copy="none"
          />
        </div>
        <Stack gap="md" miw={0}>
          <section aria-labelledby="ready-downloads">
            <Title order={3} size="h5" mb={8} id="ready-downloads">
              Download and print
            </Title>
            <Downloads code={code} values={valuesOf(code)} checked={look} sizes={sizes} isNext />
            <Stack id={NOTES_ID} gap="md" mt={notes.length > 0 ? 'md' : undefined}>
              {notes.map(({ icon, text }) => (
                <Note key={text} icon={icon}>
                  {text}
                  {icon === END_ICON && (
                    <>
                      . Paid plans keep codes working. <PlansLink c="inherit" fw={600} />
                    </>
                  )}
                </Note>
              ))}
            </Stack>
            <SizeFields {...sizes} />
          </section>
          <section aria-labelledby="ready-scan">
            <Title order={3} size="h5" id="ready-scan">
              Try it before you print
            </Title>
            {scan}
          </section>
          <section aria-labelledby="ready-print">
            <Title order={3} size="h5" mb={8} id="ready-print">
              After printing
            </Title>
            <LastCheck code={code} />
          </section>
        </Stack>
      </Columns>
      <DialogBar
        buttons={
          <>
            <PlainButton leftSection={<LinkIcon size={16} />} onClick={() => copyLink(link)}>
              Copy link
            </PlainButton>
            {canShare() && (
              <PlainButton
                leftSection={<Share size={16} />}
                onClick={() => shareLink(link, code.name)}
              >
                Share link
              </PlainButton>
            )}
            <PlainButton leftSection={<Plus size={16} />} onClick={onAnother}>
              Create another
            </PlainButton>
            <PlainButton onClick={onDone}>Done</PlainButton>
          </>
        }
      />
    </>
  )
}
