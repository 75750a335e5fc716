import { Button, Text } from '@mantine/core'
import { ArchiveRestore, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { BIN_DAYS, PAGE_SIZE } from '#contract/code-values.ts'
import type { BinnedCode } from '#contract/codes.ts'
import { formatDay } from '../../formats.ts'
import { Dialog, Loaded } from '../../ui/dialog/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useKeptFocus } from '../../ui/focus.ts'
import { Row, Rows } from '../../ui/rows.tsx'
import { hostOf, linkOf } from '../links.ts'
import { useBin, useRestore } from '../queries.ts'
import { Pages } from './code-table.tsx'

type Props = { opened: boolean; onClose: () => void; hostUrl: string }

/** Lists the deleted codes that can still be restored. */
export function BinDialog({ opened, onClose, hostUrl }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Trash" what="Your trash" size="lg">
      <Bin hostUrl={hostUrl} />
    </Dialog>
  )
}

/** Mounted only while the dialog is open, so the trash is read every time. */
function Bin({ hostUrl }: { hostUrl: string }) {
  return (
    <Loaded query={useBin()} what="Your trash">
      {(codes) => <BinnedCodes codes={codes} hostUrl={hostUrl} />}
    </Loaded>
  )
}

function BinnedCodes({ codes, hostUrl }: { codes: BinnedCode[]; hostUrl: string }) {
  const [asked, setPage] = useState(1)
  const area = useRef<HTMLDivElement>(null)
  useKeptFocus(area, () => area.current?.focus())
  const pages = Math.ceil(codes.length / PAGE_SIZE)
  const page = Math.min(asked, Math.max(1, pages))
  return (
    <div ref={area} tabIndex={-1}>
      {codes.length === 0 ? (
        <EmptyState
          icon={Trash2}
          title="Your trash is empty"
          text={`Deleted QR codes stay here for ${BIN_DAYS} days, and you can restore them.`}
        />
      ) : (
        <>
          <Text size="sm" c="dimmed">
            A restored QR code works again everywhere it’s printed.
          </Text>
          <Rows>
            {codes.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE).map((code) => (
              <BinnedRow key={code.id} code={code} hostUrl={hostUrl} />
            ))}
          </Rows>
        </>
      )}
      {pages > 1 && <Pages total={pages} value={page} onChange={setPage} mt="md" />}
    </div>
  )
}

function BinnedRow({ code, hostUrl }: { code: BinnedCode; hostUrl: string }) {
  const restore = useRestore()
  return (
    <Row
      title={code.name}
      lines={[
        hostOf(linkOf(hostUrl, code)),
        `Deleted ${formatDay(code.deletedAt)}, kept until ${formatDay(code.purgedAt)}`,
      ]}
    >
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
    </Row>
  )
}
