import { ArchiveRestore, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { BIN_DAYS, PAGE_SIZE } from '#contract/codes/code-values.ts'
import type { BinnedCode } from '#contract/codes/codes.ts'
import { formatDay } from '../../formats.ts'
import { Loaded } from '../../ui/dialog/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useKeptFocus } from '../../ui/focus.ts'
import { PlainButton } from '../../ui/plain-button.tsx'
import { Quiet } from '../../ui/quiet.tsx'
import { Row, Rows } from '../../ui/rows.tsx'
import { hostOf, linkOf } from '../links.ts'
import { useOwner } from '../owner.ts'
import { useBin, useRestore } from '../queries.ts'
import { Pages } from './code-table.tsx'

/** Lists the deleted codes that can still be restored. It is mounted with each opening, and reads them then. */
export function Bin() {
  return (
    <Loaded query={useBin()} what="Your trash">
      {(codes) => <BinnedCodes codes={codes} />}
    </Loaded>
  )
}

function BinnedCodes({ codes }: { codes: BinnedCode[] }) {
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
          <Quiet>A restored QR code works again everywhere it’s printed.</Quiet>
          <Rows>
            {codes.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE).map((code) => (
              <BinnedRow key={code.id} code={code} />
            ))}
          </Rows>
        </>
      )}
      {pages > 1 && <Pages total={pages} value={page} onChange={setPage} mt="md" />}
    </div>
  )
}

function BinnedRow({ code }: { code: BinnedCode }) {
  const { hostUrl } = useOwner()
  const restore = useRestore()
  return (
    <Row
      title={code.name}
      lines={[
        hostOf(linkOf(hostUrl, code)),
        `Deleted ${formatDay(code.deletedAt)}, kept until ${formatDay(code.purgedAt)}`,
      ]}
    >
      <PlainButton
        size="sm"
        leftSection={<ArchiveRestore size={16} />}
        aria-label={`Restore ${code.name}`}
        loading={restore.isPending}
        onClick={() => restore.mutate(code.id)}
      >
        Restore
      </PlainButton>
    </Row>
  )
}
