import { Button } from '@mantine/core'
import { QrCode, SearchX } from 'lucide-react'
import { EmptyState } from '../../ui/empty-state.tsx'

/** For an account without codes. */
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

/** The account has codes, but none that the search or filter finds. */
export function NoMatches({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      icon={SearchX}
      title="No QR codes match"
      text="Look for a name, a URL, a custom path or a short code"
      action={
        <Button mt="sm" variant="default" onClick={onClear}>
          Clear search and filters
        </Button>
      }
    />
  )
}
