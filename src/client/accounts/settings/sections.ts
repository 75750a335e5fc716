import type { ReactNode } from 'react'
import type { AccountSettings } from '#contract/accounts/account-settings.ts'
import type { PublicConfig, User } from '#contract/accounts/accounts.ts'
import type { WorkspaceRoute } from '#contract/accounts/roles.ts'

/** The parts of the settings, as `/profile?settings=…` names them. */
export const sections = {
  you: 'You',
  'sign-in': 'Login',
  sessions: 'Sessions',
  notices: 'Notifications',
  domains: 'Domains',
  keys: 'Integrations',
  webhooks: 'Webhooks',
  history: 'Security log',
  members: 'Members',
  leave: 'Export and delete',
} as const
export type SectionName = keyof typeof sections

/** The call that a part needs; the others are for each role. */
export const routeOf: Partial<Record<SectionName, WorkspaceRoute>> = {
  domains: 'GET /api/domains',
  keys: 'GET /api/account/keys',
  webhooks: 'GET /api/webhooks',
}

export const addressOf = (section: SectionName) => `/profile?settings=${section}`

/** Every part's props. `figureMails` is drawn by the analytics. */
export type SectionProps = {
  user: User
  account: AccountSettings
  config: PublicConfig
  figureMails: ReactNode
}
