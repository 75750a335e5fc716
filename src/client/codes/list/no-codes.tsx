import { Button } from '@mantine/core'
import { QrCode } from 'lucide-react'
import { EmptyState } from '../../ui/empty-state.tsx'

/** An account without codes. */
export function NoCodes({ onCreate }: { onCreate: () => void }) {
  return (
    <EmptyState
      icon={QrCode}
      title="No QR codes yet"
      text="Get started by creating your first QR code"
      action={
        <Button mt="sm" onClick={onCreate}>
          Create Your First QR Code
        </Button>
      }
    />
  )
}
