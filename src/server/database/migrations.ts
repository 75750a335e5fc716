import { codesScansAndAccounts } from './migrations/001-005-codes-scans-and-accounts.ts'
import { payments } from './migrations/006-008-payments.ts'
import { mailsAndProofs } from './migrations/009-014-mails-and-proofs.ts'
import { totalsAndShares } from './migrations/015-020-totals-and-shares.ts'
import { artworkKeysAndTags } from './migrations/021-026-artwork-keys-and-tags.ts'
import { webhooksAndImports } from './migrations/027-033-webhooks-and-imports.ts'
import { domainsAndApps } from './migrations/036-045-domains-and-apps.ts'
import { plansAndWorkspaces } from './migrations/046-061-plans-and-workspaces.ts'
import { rules } from './migrations/062-rules.ts'
import { destinationChecks } from './migrations/065-destination-checks.ts'
import { clickhouse } from './migrations/066-clickhouse.ts'
import { members } from './migrations/067-members.ts'
import type { OwnMigration } from './migrations/steps.ts'

const steps = {
  ...codesScansAndAccounts,
  ...payments,
  ...mailsAndProofs,
  ...totalsAndShares,
  ...artworkKeysAndTags,
  ...webhooksAndImports,
  ...domainsAndApps,
  ...plansAndWorkspaces,
  ...rules,
  ...destinationChecks,
  ...clickhouse,
  ...members,
}

/** All migrations, in the order of their names */
export const migrations: Record<string, OwnMigration> = Object.fromEntries(
  Object.entries(steps)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, step]) => [name, typeof step === 'function' ? { up: step } : step]),
)
