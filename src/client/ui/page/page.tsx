import { Anchor, Box, Card, Center, Stack } from '@mantine/core'
import { ArrowLeft } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { Link } from 'wouter'
import { Spinner } from '../spinner.tsx'
import { Logo } from './logo.tsx'
import styles from './page.module.css'

/** The browser's tab and history say which screen this is. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} – Tessera`
  }, [title])
}

/** A page of one card under the logo: to sign in, or to say that there is nothing here. */
export function CardPage({ children, after }: { children: ReactNode; after?: ReactNode }) {
  return (
    <Center component="main" mih="100dvh" p={16}>
      <Stack gap={20} w="100%" maw={416}>
        <a href="/" style={{ alignSelf: 'center', textDecoration: 'none' }} data-finger>
          <Logo size={28} />
        </a>
        <Card withBorder padding={0} className={styles.card}>
          <Box p={{ base: 24, xs: 32 }}>{children}</Box>
        </Card>
        {after}
      </Stack>
    </Center>
  )
}

export function PageSpinner() {
  return (
    <Center component="main" mih="100dvh">
      <Spinner label="Loading" />
    </Center>
  )
}

/** Shows that a part of a page is loading. */
export function PartSpinner({ label, py = 96 }: { label: string; py?: number | string }) {
  return (
    <Center py={py}>
      <Spinner label={label} />
    </Center>
  )
}

/** The id of a page's main part. */
export const CONTENT_ID = 'content'

/** The first stops of the keyboard, seen only while they have the focus: past the head, or to a part. */
export function SkipLink({ to, children }: { to: string; children: string }) {
  return (
    <a
      href={`#${to}`}
      className={styles.skip}
      onClick={(event) => {
        // A # in the address would add a step to the history.
        event.preventDefault()
        const part = document.getElementById(to)
        part?.focus({ preventScroll: true })
        part?.scrollIntoView()
      }}
    >
      {children}
    </a>
  )
}

type BackLinkProps = { href?: string; children?: string }

export function BackLink({ href = '/dashboard', children = 'Back to Dashboard' }: BackLinkProps) {
  return (
    <Anchor component={Link} href={href} size="sm" className={styles.back} data-finger>
      <ArrowLeft size={16} aria-hidden />
      {children}
    </Anchor>
  )
}
