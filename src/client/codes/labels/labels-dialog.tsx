import { useMemo } from 'react'
import type { QrCode } from '#contract/codes.ts'
import { Dialog, Loaded } from '../../ui/dialog.tsx'
import { useCodes } from '../queries.ts'
import { LabelsPanel } from './labels-panel.tsx'

type Props = {
  opened: boolean
  /** Of saved codes, in the order of their labels; at most SERIES_MAX. */
  ids: readonly string[]
  hostUrl: string
  onClose: () => void
}

/** Prints labels of chosen codes. */
export function LabelsDialog({ opened, ...asked }: Props) {
  const codes = useCodes({ enabled: true })
  return (
    <Dialog
      opened={opened}
      onClose={asked.onClose}
      title="Print labels"
      what="The labels"
      size={920}
      isLarge
    >
      <Loaded query={codes} what="Your QR codes">
        {(all) => <Chosen all={all} {...asked} />}
      </Loaded>
    </Dialog>
  )
}

function Chosen({ all, ids, ...panel }: Omit<Props, 'opened'> & { all: readonly QrCode[] }) {
  const codes = useMemo(() => {
    const byId = new Map(all.map((code) => [code.id, code]))
    return ids.flatMap((id) => byId.get(id) ?? [])
  }, [all, ids])
  return <LabelsPanel codes={codes} {...panel} />
}
