import { Button, Center, Modal, Pagination, Text } from '@mantine/core'
import { ArchiveRestore, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { BIN_DAYS, PAGE_SIZE } from '#contract/code-values.ts'
import type { BinnedCode } from '#contract/codes.ts'
import { formatDay } from '../../dates.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useKeptFocus } from '../../ui/focus.ts'
import { LoadFailure } from '../../ui/messages/failure-alert.tsx'
import { PanelBoundary } from '../../ui/messages/panel-boundary.tsx'
import { useSignedOut } from '../../ui/sign-in-again.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { hostOf, linkOf, pathOf } from '../links.ts'
import { useBin, useRestore } from '../queries.ts'
import styles from './bin-dialog.module.css'

type Props = { opened: boolean; onClose: () => void; hostUrl: string }

/** Lists the deleted codes that can still be restored. */
export function BinDialog({ opened, onClose, hostUrl }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title="Bin" size="lg">
      <PanelBoundary what="The bin">
        <Bin hostUrl={hostUrl} />
      </PanelBoundary>
    </Modal>
  )
}

/** Mounted only while the dialog is open, so the bin is read every time. */
function Bin({ hostUrl }: { hostUrl: string }) {
  const bin = useBin()
  const signedOut = useSignedOut(bin.error)
  if (bin.isPending || signedOut) {
    return (
      <Center py={56}>
        <Spinner label="Loading the bin" />
      </Center>
    )
  }
  if (bin.isError) {
    return <LoadFailure what="The bin" error={bin.error} onRetry={bin.refetch} />
  }
  return <BinnedCodes codes={bin.data} hostUrl={hostUrl} />
}

function BinnedCodes({ codes, hostUrl }: { codes: BinnedCode[]; hostUrl: string }) {
  const [asked, setPage] = useState(1)
  const area = useRef<HTMLDivElement>(null)
  useKeptFocus(area, () => area.current?.focus())
  const pages = Math.ceil(codes.length / PAGE_SIZE)
  const page = Math.min(asked, Math.max(1, pages))
  return (
    <div ref={area} tabIndex={-1} className={styles.area}>
      {codes.length === 0 ? (
        <EmptyState
          icon={Trash2}
          title="The bin is empty"
          text={`A deleted QR code can be restored from here for ${BIN_DAYS} days.`}
        />
      ) : (
        <>
          <Text size="sm" c="dimmed">
            A restored QR code works again wherever it is printed.
          </Text>
          <ul className={styles.list}>
            {codes.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE).map((code) => (
              <BinnedRow key={code.id} code={code} hostUrl={hostUrl} />
            ))}
          </ul>
        </>
      )}
      {pages > 1 && (
        <Pagination
          total={pages}
          value={page}
          onChange={setPage}
          mt="md"
          getControlProps={(control) => ({ 'aria-label': `${control} page` })}
          getItemProps={(number) => ({ 'aria-label': `Page ${number}` })}
        />
      )}
    </div>
  )
}

export function BinnedRow({ code, hostUrl }: { code: BinnedCode; hostUrl: string }) {
  const restore = useRestore()
  return (
    <li className={styles.row}>
      <div className={styles.text}>
        <Text size="sm" fw={600} className={styles.name}>
          {code.name}
        </Text>
        <Text size="xs" c="dimmed" className={styles.name}>
          {hostOf(linkOf(hostUrl, pathOf(code)))}
        </Text>
        <Text size="xs" c="dimmed">
          Deleted {formatDay(code.deletedAt)}, kept until {formatDay(code.purgedAt)}
        </Text>
      </div>
      <Button
        variant="default"
        size="sm"
        leftSection={<ArchiveRestore size={16} aria-hidden />}
        aria-label={`Restore ${code.name}`}
        loading={restore.isPending}
        onClick={() => restore.mutate(code.id)}
      >
        Restore
      </Button>
    </li>
  )
}
