import { Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { User } from '#contract/accounts/accounts.ts'
import { Loaded } from '../../ui/dialog/dialog.tsx'
import { PanelBoundary } from '../../ui/messages/panel-boundary.tsx'
import { BackLink, usePageTitle } from '../../ui/page/page.tsx'
import { permission } from '../../workspace.ts'
import { useAccount, useConfig, useWorkspace } from '../queries.ts'
import { DomainsSection } from './domains/domains-section.tsx'
import { HistorySection } from './history-section.tsx'
import { KeysSection } from './keys-section.tsx'
import { LeaveSection } from './leave-section.tsx'
import { MembersSection } from './members/members-section.tsx'
import { NoticesSection } from './notices-section.tsx'
import { addressOf, routeOf, type SectionName, type SectionProps, sections } from './sections.ts'
import { SessionsSection } from './sessions-section.tsx'
import styles from './settings.module.css'
import { SignInSection } from './sign-in-methods/sign-in-section.tsx'
import { WebhooksSection } from './webhooks/webhooks-section.tsx'
import { YouSection } from './you-section.tsx'

type Props = { user: User; asked: string; figureMails: ReactNode }

/** The account's settings, a part at a time. Each part has an address. */
export default function Settings({ user, asked, figureMails }: Props) {
  const isAllowed = permission.use()
  // Where a second step is set up, a workspace that demands one refuses to be read.
  useWorkspace(user, asked !== 'sign-in')
  const names = (Object.keys(sections) as SectionName[]).filter((name) => {
    const route = routeOf[name]
    return !route || isAllowed(route)
  })
  const section = names.find((name) => name === asked) ?? 'you'
  usePageTitle(`${sections[section]} – Account settings`)
  return (
    <Stack gap="lg">
      <BackLink href="/profile">Back to Profile</BackLink>
      <Title>Account settings</Title>
      <div className={styles.columns}>
        <nav aria-label="Account settings" className={styles.nav}>
          {names.map((name) => (
            <Link
              key={name}
              href={addressOf(name)}
              aria-current={name === section ? 'page' : undefined}
            >
              {sections[name]}
            </Link>
          ))}
        </nav>
        <Stack miw={0}>
          <PanelBoundary what="This part" key={section}>
            <Contents user={user} section={section} figureMails={figureMails} />
          </PanelBoundary>
        </Stack>
      </div>
    </Stack>
  )
}

const contents: Record<SectionName, (props: SectionProps) => ReactNode> = {
  you: YouSection,
  'sign-in': SignInSection,
  sessions: SessionsSection,
  notices: NoticesSection,
  domains: DomainsSection,
  keys: KeysSection,
  webhooks: WebhooksSection,
  history: HistorySection,
  members: MembersSection,
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
