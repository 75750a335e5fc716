import { Center } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Tag } from '#contract/tags.ts'
import { LoadFailure } from '../../ui/messages/failure-alert.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { useTags } from './queries.ts'

/** What shows the account's tags, once they are here. */
export function LoadedTags({ children }: { children: (tags: readonly Tag[]) => ReactNode }) {
  const tags = useTags()
  if (tags.isError) {
    return <LoadFailure what="Your tags" error={tags.error} onRetry={tags.refetch} />
  }
  if (!tags.data) {
    return (
      <Center py={56}>
        <Spinner label="Loading your tags" />
      </Center>
    )
  }
  return children(tags.data)
}
