import { Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { User } from '#contract/accounts.ts'
import { Loaded } from '../../ui/dialog.tsx'
import { PanelBoundary } from '../../ui/messages/panel-boundary.tsx'
import { BackLink, usePageTitle } from '../../ui/page/page.tsx'
import { useAccount, useConfig } from '../queries.ts'
import { HistorySection } from './history-section.tsx'
import { KeysSection } from './keys/keys-section.tsx'
import { DeleteAccount } from './leave/delete-account.tsx'
import { TakeLinks } from './leave/take-links.tsx'
import { NoticesSection } from './notices-section.tsx'
import { Section } from './section.tsx'
import { addressOf, type SectionName, type SectionProps, sectionOf, sections } from './sections.ts'
import { SessionsSection } from './sessions-section.tsx'
import styles from './settings.module.css'
import { PasskeysForm } from './ways-in/passkeys-form.tsx'
import { PasswordForm } from './ways-in/password-form.tsx'
import { ProviderLink } from './ways-in/provider-link.tsx'
import { SecondStep } from './ways-in/second-step.tsx'
import { WebhooksSection } from './webhooks/webhooks-section.tsx'
import { EmailForm } from './you/email-form.tsx'
import { NameForm } from './you/name-form.tsx'
import { PictureForm } from './you/picture-form.tsx'
import { ZoneForm } from './you/zone-form.tsx'

type Props = { user: User; asked: string; figureMails: ReactNode }

/** The account's settings, a part at a time. Each part has an address. */
export default function Settings({ user, asked, figureMails }: Props) {
  const section = sectionOf(asked)
  usePageTitle(`${sections[section]} – Account settings`)
  return (
    <Stack gap="lg">
      <BackLink href="/profile">Back to Profile</BackLink>
      <Title order={1} size="h2">
        Account settings
      </Title>
      <div className={styles.columns}>
        <nav aria-label="Account settings" className={styles.nav}>
          {Object.entries(sections).map(([name, label]) => (
            <Link
              key={name}
              href={addressOf(name as SectionName)}
              aria-current={name === section ? 'page' : undefined}
            >
              {label}
            </Link>
          ))}
        </nav>
        <div className={styles.section}>
          <PanelBoundary what="This part" key={section}>
            <Contents user={user} section={section} figureMails={figureMails} />
          </PanelBoundary>
        </div>
      </div>
    </Stack>
  )
}

const contents: Record<SectionName, (props: SectionProps) => ReactNode> = {
  you: YouSection,
  'sign-in': SignInSection,
  sessions: SessionsSection,
  notices: NoticesSection,
  keys: KeysSection,
  webhooks: WebhooksSection,
  history: HistorySection,
  leave: LeaveSection,
}

type ContentsProps = Omit<Props, 'asked'> & { section: SectionName }

function Contents({ section, ...props }: ContentsProps) {
  const account = useAccount()
  const config = useConfig()
  const Part = contents[section]
  return (
    <Loaded query={account} what="Your settings">
      {(known) => (
        <Loaded query={config} what="Your settings">
          {(offered) => <Part {...props} account={known} config={offered} />}
        </Loaded>
      )}
    </Loaded>
  )
}

function YouSection({ user, account, config }: SectionProps) {
  return (
    <>
      <PictureForm user={user} pictureUrl={account.pictureUrl} />
      <NameForm account={account} />
      <EmailForm account={account} mail={config.mail} />
      <ZoneForm timeZone={account.timeZone} />
    </>
  )
}

function SignInSection({ account, config }: SectionProps) {
  // With the provider as the only way in, all of these are its own.
  const hasOwnWays = config.passwordLogin
  return (
    <>
      {hasOwnWays && <PasswordForm account={account} />}
      {hasOwnWays && <PasskeysForm passkeys={account.passkeys} />}
      {hasOwnWays && <SecondStep state={account.secondFactor} email={account.email} />}
      <ProviderLink linked={account.provider} offered={config.provider} isOnlyWay={!hasOwnWays} />
    </>
  )
}

function LeaveSection({ user, account }: SectionProps) {
  return (
    <>
      <Section
        title="Take my links with me"
        text="One zip with all of your QR codes: their pictures, their data, and the redirects for a server of your own (nginx, Caddy, Netlify, or a table)."
      >
        <TakeLinks />
      </Section>
      <DeleteAccount user={user} account={account} />
    </>
  )
}
