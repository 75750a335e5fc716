import { Container } from '@mantine/core'
import type { ReactNode, Ref } from 'react'
import type { User } from '#contract/accounts/accounts.ts'
import { LoadFailure } from '../ui/messages/failure-alert.tsx'
import { CONTENT_ID, SkipLink } from '../ui/page/page.tsx'
import type { useUser } from './queries.ts'
import { SiteHeader } from './site-header.tsx'

type Props = { user: User; ref?: Ref<HTMLDivElement>; children: ReactNode }

/** A page of an account, below the header of the site. */
export function AccountPage({ user, ref, children }: Props) {
  return (
    <>
      <SkipLink to={CONTENT_ID}>Skip to content</SkipLink>
      <SiteHeader user={user} />
      <Container component="main" id={CONTENT_ID} tabIndex={-1} size="xl" py="xl" ref={ref}>
        {children}
      </Container>
    </>
  )
}

/** Stands in for a page if the account cannot be read. */
export function AccountFailure({ user }: { user: ReturnType<typeof useUser> }) {
  return (
    <Container component="main" size="sm" py="xl">
      <LoadFailure what="Your account" reading={user} />
    </Container>
  )
}
