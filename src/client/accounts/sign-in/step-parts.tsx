import { Alert, Anchor, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link, useSearch } from 'wouter'
import type { PublicConfig, SignInAnswer } from '#contract/accounts.ts'
import { firstFocus } from '../../ui/focus.ts'
import { BackLink, usePageTitle } from '../../ui/page/page.tsx'
import { NO_MAIL_SERVER, WHERE_IT_IS } from '../mail-words.ts'
import styles from './step-parts.module.css'
import { addressOf, type NextStep } from './steps.ts'

/** What every step gets from the page. */
export type StepProps = {
  config: PublicConfig
  /** The address that was typed at any step, so that nobody types it twice */
  typed: { email: string }
  /** A way in was taken: `email` is whose, where the step knows */
  onAnswer: (answer: SignInAnswer, email?: string) => void
}

type HeadProps = { title: string; hasFocus?: boolean; children?: ReactNode }

/** A step's heading and what it is about. It takes the focus where the step has no field to begin with. */
export function StepHead({ title, hasFocus = false, children }: HeadProps) {
  usePageTitle(title)
  return (
    <Stack gap={6}>
      <Title order={1} size="h2" {...(hasFocus && { tabIndex: -1, ref: firstFocus })}>
        {title}
      </Title>
      {children && <Text component="div">{children}</Text>}
    </Stack>
  )
}

type StepLinkProps = { to: NextStep; children: string }

/** Leads to another step; where the person wanted to go comes along. */
export function StepLink({ to, children }: StepLinkProps) {
  return (
    <Anchor component={Link} href={addressOf(to, useSearch())} className={styles.link}>
      {children}
    </Anchor>
  )
}

export function BackToSignIn() {
  return <BackLink href={addressOf('sign-in', useSearch())}>Back to sign in</BackLink>
}

/** Something that went well or is good to know. Screen readers say it when it comes. */
export function StepNotice({ children }: { children: ReactNode }) {
  return (
    <Alert color="var(--good)" variant="outline" role="status">
      {children}
    </Alert>
  )
}

/** What an operator without a mail server has to say instead of promising a mail. */
export function NoMailServer() {
  return (
    <StepNotice>
      <b>{NO_MAIL_SERVER}.</b> {WHERE_IT_IS}
    </StepNotice>
  )
}
