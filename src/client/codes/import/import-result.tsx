import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { CircleCheck, FolderDown, ListFilter, Printer } from 'lucide-react'
import { useMemo, useState } from 'react'
import { SERIES_MAX } from '#contract/codes/code-values.ts'
import type { ImportNow } from '#contract/imports.ts'
import { counted, formatCount } from '../../formats.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { useStacked } from '../../ui/columns.tsx'
import { Loaded } from '../../ui/dialog/dialog.tsx'
import { reportFailure } from '../../ui/messages/failure.ts'
import { PlainButton } from '../../ui/plain-button.tsx'
import { Quiet } from '../../ui/quiet.tsx'
import { importAddress, showInList } from '../addresses.ts'
import { LabelsPanel } from '../labels/labels-panel.tsx'
import { useCodes } from '../queries.ts'
import { createdText } from './import-words.ts'
import { createdIds, picturesAddress, tableAddress } from './queries.ts'

export const CENTERED = { align: 'center', gap: 14, pt: 40, pb: 24, px: 8, ta: 'center' } as const

/** The codes are there: pictures of all, labels of as many as a sheet file takes, the way to the list, and what is left. */
export function ImportResult({ now }: { now: ImportNow }) {
  const { id, done } = now
  const [printed, setPrinted] = useState<string[]>()
  const count = Math.min(done, SERIES_MAX)
  const print = useMutation({
    mutationFn: () => createdIds(id, Math.min(now.rows, SERIES_MAX)),
    onSuccess: setPrinted,
    onError: (error) => reportFailure(error, 'Your QR codes couldn’t be loaded. Please try again.'),
  })
  const isStacked = useStacked()
  const Buttons = isStacked ? Stack : Group
  if (printed) return <Labels ids={printed} />
  return (
    <Stack {...CENTERED}>
      <CircleCheck size={44} strokeWidth={1.4} color="var(--good)" />
      <div role="status">
        <Title order={3}>{createdText(done)}</Title>
      </div>
      <Quiet>
        {done === 1
          ? 'It’s in your list, where you can change it.'
          : 'They’re in your list, where you can change each one.'}
      </Quiet>
      <Left now={now} />
      <Buttons gap={12} mt={8} justify="center" w={isStacked ? '100%' : undefined}>
        <Button
          component="a"
          href={picturesAddress(id)}
          download
          leftSection={<FolderDown size={18} />}
        >
          Download pictures (ZIP)
        </Button>
        <BusyButton
          variant="default"
          leftSection={<Printer size={18} />}
          busy={print.isPending}
          busyText="Print labels"
          onClick={() => print.mutate()}
        >
          {done > count ? `Print labels for the first ${formatCount(count)}` : 'Print labels'}
        </BusyButton>
        <PlainButton leftSection={<ListFilter size={18} />} onClick={() => void showInList(id)}>
          Show in list
        </PlainButton>
      </Buttons>
    </Stack>
  )
}

/** Labels of the codes, which the list has in the meantime. */
function Labels({ ids }: { ids: readonly string[] }) {
  const all = useCodes()
  const codes = useMemo(() => {
    const byId = new Map(all.data?.map((code) => [code.id, code]))
    return ids.flatMap((id) => byId.get(id) ?? [])
  }, [all.data, ids])
  return (
    <Loaded query={all} what="Your QR codes">
      {() => <LabelsPanel codes={codes} onClose={importAddress.close} />}
    </Loaded>
  )
}

/** Downloads of the rows and paths that were left out. */
function Left({ now: { id, problems, lostPaths } }: { now: ImportNow }) {
  if (problems === 0 && lostPaths === 0) return null
  return (
    <Text size="sm">
      {problems > 0 && (
        <>
          {counted(problems, 'row')} {problems === 1 ? 'wasn’t' : 'weren’t'} imported.{' '}
          <Anchor href={tableAddress(id, 'problems')} download inherit underline="always">
            Download {problems === 1 ? 'it with its error' : 'them with their errors'}
          </Anchor>
          .{' '}
        </>
      )}
      {lostPaths > 0 && (
        <>
          {counted(lostPaths, 'QR code')} got a short link only.{' '}
          <Anchor href={tableAddress(id, 'lost-paths')} download inherit underline="always">
            Download the list
          </Anchor>
          .
        </>
      )}
    </Text>
  )
}
