import { Center, Modal } from '@mantine/core'
import { useMemo } from 'react'
import { LoadFailure } from '../../ui/messages/failure-alert.tsx'
import { PanelBoundary } from '../../ui/messages/panel-boundary.tsx'
import { useOnPhone } from '../../ui/on-phone.ts'
import { Spinner } from '../../ui/spinner.tsx'
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
export function LabelsDialog({ opened, onClose, ...asked }: Props) {
  const narrow = useOnPhone()
  return (
    <Modal opened={opened} onClose={onClose} title="Print labels" size={920} fullScreen={narrow}>
      <PanelBoundary what="The labels">
        <Chosen {...asked} onClose={onClose} />
      </PanelBoundary>
    </Modal>
  )
}

function Chosen({ ids, ...panel }: Omit<Props, 'opened'>) {
  const { data, isError, error, refetch } = useCodes({ enabled: true })
  const codes = useMemo(() => {
    const byId = new Map(data?.map((code) => [code.id, code]))
    return ids.flatMap((id) => byId.get(id) ?? [])
  }, [data, ids])
  if (isError) return <LoadFailure what="Your QR codes" error={error} onRetry={refetch} />
  if (!data) {
    return (
      <Center py={56}>
        <Spinner label="Loading your QR codes" />
      </Center>
    )
  }
  return <LabelsPanel codes={codes} {...panel} />
}
