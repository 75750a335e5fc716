import { Button, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { CircleCheck, FolderDown, ListFilter, Printer } from 'lucide-react'
import { useState } from 'react'
import type { QrCode } from '#contract/codes.ts'
import type { ImportNow } from '#contract/imports.ts'
import { SERIES_MAX } from '#contract/series-rows.ts'
import { formatCount } from '../../formats.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { reportFailure } from '../../ui/messages/failure.ts'
import { importAddress, showInList } from '../addresses.ts'
import { LabelsPanel } from '../labels/labels-panel.tsx'
import { useCodes } from '../queries.ts'
import styles from './import.module.css'
import { madeText } from './import-words.ts'
import { madeIds, picturesAddress, tagFor } from './queries.ts'

type Props = { now: ImportNow; hostUrl: string }

export const CENTERED = { align: 'center', gap: 14, pt: 40, pb: 24, px: 8, ta: 'center' } as const

/** The codes are there: pictures of all, labels of as many as a sheet file takes, and the way to the list. */
export function ImportResult({ now: { id, rows }, hostUrl }: Props) {
  const codes = useCodes({ enabled: true })
  const [printed, setPrinted] = useState<QrCode[]>()
  const count = Math.min(rows, SERIES_MAX)
  const print = useMutation({
    mutationFn: () => madeIds(id, count),
    onSuccess: (ids) => {
      const byId = new Map(codes.data?.map((code) => [code.id, code]))
      setPrinted(ids.map((one) => byId.get(one)).filter((code) => code !== undefined))
    },
    onError: (error) => reportFailure(error, 'The codes could not be read. Please try again.'),
  })
  if (printed)
    return <LabelsPanel codes={printed} hostUrl={hostUrl} onClose={importAddress.close} />
  return (
    <Stack {...CENTERED}>
      <CircleCheck size={44} strokeWidth={1.4} color="var(--good)" aria-hidden />
      <div role="status">
        <Title order={3} size="h4">
          {madeText(rows)}
        </Title>
      </div>
      <Text size="sm" c="dimmed">
        {rows === 1
          ? 'It is in your list, and can be changed there.'
          : 'They are in your list, and each one can be changed on its own.'}
      </Text>
      <div className={styles.files}>
        <Button
          component="a"
          href={picturesAddress(id)}
          download
          leftSection={<FolderDown size={18} aria-hidden />}
        >
          Download pictures (ZIP)
        </Button>
        <BusyButton
          variant="default"
          leftSection={<Printer size={18} aria-hidden />}
          busy={print.isPending || codes.isPending}
          busyText="Print labels"
          onClick={() => print.mutate()}
        >
          {rows > count ? `Print labels of the first ${formatCount(count)}` : 'Print labels'}
        </BusyButton>
        <Button
          variant="default"
          leftSection={<ListFilter size={18} aria-hidden />}
          onClick={() => void showInList(tagFor(id))}
        >
          Show the list
        </Button>
      </div>
    </Stack>
  )
}
