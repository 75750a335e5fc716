import { Center, Modal, Pagination, Text } from '@mantine/core'
import { Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { BIN_DAYS, PAGE_SIZE } from '#contract/code-values.ts'
import type { BinnedCode } from '#contract/codes.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadFailure } from '../../ui/failure-alert.tsx'
import { useKeptFocus } from '../../ui/focus.ts'
import { PanelBoundary } from '../../ui/panel-boundary.tsx'
import { useSignedOut } from '../../ui/signed-out.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { useBin } from '../queries.ts'
import styles from './bin-dialog.module.css'
import { BinnedRow } from './binned-row.tsx'

type Props = { opened: boolean; onClose: () => void; hostUrl: string }

/** Deleted codes, for as long as they can be restored. */
export function BinDialog({ opened, onClose, hostUrl }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title="Bin" size="lg">
      <PanelBoundary what="The bin">
        <Bin hostUrl={hostUrl} />
      </PanelBoundary>
    </Modal>
  )
}

/** Only there while the dialog is open: it reads the bin anew each time. */
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
