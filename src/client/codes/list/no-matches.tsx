import { Button } from '@mantine/core'
import { SearchX } from 'lucide-react'
import { EmptyState } from '../../ui/empty-state.tsx'

/** An account has codes, but none that was asked for. */
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
