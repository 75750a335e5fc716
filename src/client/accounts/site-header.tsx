import { ActionIcon, Anchor, Avatar, Box, Container, Group, Text } from '@mantine/core'
import { LogOut, UserRound } from 'lucide-react'
import { Link } from 'wouter'
import type { User } from '#contract/accounts/accounts.ts'
import { Late } from '../ui/dialog/late.tsx'
import { PanelBoundary } from '../ui/messages/panel-boundary.tsx'
import { Logo } from '../ui/page/logo.tsx'
import { TierBadge } from '../ui/tier-badge.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import { shortName } from './person.ts'
import styles from './site-header.module.css'

type Props = { user: User }

const LINE = { borderBottom: '1px solid var(--mantine-color-default-border)' }

const loadSwitcher = () => import('./workspace-switcher.tsx')

/** A crash here leaves the rest of the page usable. */
export function SiteHeader(props: Props) {
  return (
    <PanelBoundary what="The header">
      <Bar {...props} />
    </PanelBoundary>
  )
}

function Bar({ user }: Props) {
  return (
    <Box component="header" bg="var(--mantine-color-body)" style={LINE}>
      <Container size="xl">
        <Group justify="space-between" mih={60} className={styles.row}>
          <Anchor component={Link} href="/dashboard" display="flex" py={10} underline="never">
            <Logo />
          </Anchor>
          {user.workspaces && (
            <Late load={loadSwitcher}>
              {({ WorkspaceSwitcher }) => (
                <WorkspaceSwitcher user={user} workspaces={user.workspaces ?? []} />
              )}
            </Late>
          )}
          <Group className={styles.person} justify="flex-end" gap="xs" wrap="nowrap" miw={0}>
            {user.profileImageUrl && <Avatar src={user.profileImageUrl} size={30} alt="" />}
            <Text size="sm" truncate miw={0}>
              {shortName(user)}
            </Text>
            <TierBadge tier={user.subscriptionTier} />
          </Group>
          <Group component="nav" aria-label="Account" gap={4} wrap="nowrap" flex="none" mr={-10}>
            <Tooltip label="Profile">
              <ActionIcon component={Link} href="/profile" size={44} aria-label="Profile">
                <UserRound size={20} aria-hidden />
              </ActionIcon>
            </Tooltip>
            <Tooltip label="Log out">
              <ActionIcon component="a" href="/api/logout" size={44} aria-label="Logout">
                <LogOut size={20} aria-hidden />
              </ActionIcon>
            </Tooltip>
          </Group>
        </Group>
      </Container>
    </Box>
  )
}
