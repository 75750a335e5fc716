import type { Generated, Kysely, Transaction } from 'kysely'

/*
 * Conventions, the same on both engines: ids are text, instants are integer epoch
 * milliseconds, flags are 0 or 1, absence is null. One room writes each table.
 */

/**
 * Written by codes. A draft has no saved_at; a code in the bin has a deleted_at; a paused one a
 * paused_at. `legibility` is the scan check's verdict on the picture that `legibility_of` names.
 */
export type CodesTable = {
  id: string
  user_id: string
  name: string
  url: string
  vanity_url: string | null
  short_code: string
  style: string
  foreground_color: string
  background_color: string
  ecc: string
  compact: number
  created_at: number
  saved_at: number | null
  paused_at: number | null
  expires_at: number | null
  deleted_at: number | null
  legibility: string | null
  legibility_of: string | null
}

/** Written by codes. Every public name there is or ever was, lower-case; a reserved one belongs to no code. */
export type PathsTable = {
  key: string
  code_id: string | null
  kind: 'short' | 'custom' | 'former' | 'reserved'
  since: number
}

/** Written by codes. How many places of its plan an account has taken. */
export type CodeUsageTable = { user_id: string; used: number }

/** Written by billing. No row means the free plan; one without a provider was given by the operator. */
export type SubscriptionsTable = {
  user_id: string
  provider: string | null
  subscription_id: string | null
  tier: string
  billing: string | null
  status: string
  current_period_end: number | null
  ends_at_period_end: number
  updated_at: number
}

/**
 * Written by billing: who an account is to a payment provider. Reads of its subscriptions are
 * numbered as they begin; `read_applied` is the newest that took effect.
 */
export type CustomersTable = {
  user_id: string
  provider: string
  customer_id: string
  reads_begun: number
  read_applied: number
  reread_at: number
}

/** Written by billing: the one payment that an account has begun. Its id makes the provider's calls idempotent. */
export type CheckoutsTable = {
  user_id: string
  id: string
  provider: string
  tier: string
  billing: string
  session_id: string | null
  url: string | null
  began_at: number
}

/** Written by billing: the provider's events that have taken effect. */
export type BillingEventsTable = { id: string; at: number }

/** Written by billing's sandbox, like the tables that follow. */
export type SandboxCustomersTable = {
  id: string
  user_id: string
  card: 'pays' | 'fails_later' | null
  /** How far the customer's test clock is ahead, in ms */
  clock_offset: Generated<number>
}

/** A visit to one of the sandbox's pages; `expires_at` is by the server's clock. */
export type SandboxSessionsTable = {
  id: string
  customer_id: string
  kind: 'pay' | 'change' | 'portal'
  state: 'open' | 'complete' | 'closed'
  tier: string | null
  billing: string | null
  subscription_id: string | null
  done_url: string
  back_url: string
  expires_at: number
}

/** Instants are by the customer's test clock. Periods are counted from `anchor_at`. */
export type SandboxSubscriptionsTable = {
  id: string
  customer_id: string
  tier: string
  billing: string
  status: 'active' | 'past_due' | 'canceled'
  anchor_at: number
  period_start: number
  period_end: number
  ends_at_period_end: number
  created_at: number
}

/** Numbered for each customer; `amount` in cents is what the card paid or has to pay. */
export type SandboxInvoicesTable = {
  id: string
  customer_id: string
  serial: number
  at: number
  amount: number
  status: 'paid' | 'open' | 'uncollectible'
}

/** Events that are still to be delivered. */
export type SandboxEventsTable = { id: string; customer_id: string; at: number }

/** Written by analytics: the ledger, one row a hit. `agent` points into agents; `visitor` is salted anew each UTC day. */
export type ScansTable = {
  id: string
  code_id: string
  at: number
  class: string
  rule: string
  country: string | null
  region: string | null
  city: string | null
  device: string | null
  os: string | null
  browser: string | null
  referrer: string | null
  language: string | null
  agent: number | null
  visitor: string | null
  first: number
}

/** Written by analytics: each distinct User-Agent text once. */
export type AgentsTable = { id: number; text: string }

/** Written by analytics: who was seen at which code on which UTC day, to tell first scans; swept after some days. */
export type VisitorsTable = { day: number; code_id: string; visitor: string }

/** Written by analytics: the key of a UTC day's visitor hashes; deleted when the day is over. */
export type VisitorSaltsTable = { day: number; salt: string }

/** Written by analytics: scans by quarter-hour (epoch ms / 900,000), which answers every time zone. */
export type ScanCountsTable = {
  code_id: string
  quarter: number
  persons: number
  firsts: number
  others: number
}

/** Written by analytics: persons' scans by UTC day (epoch ms / 86,400,000) and facet. */
export type ScanFacetsTable = {
  code_id: string
  day: number
  facet: string
  value: string
  persons: number
}

/** Written by analytics. Purged codes whose rows are still to be removed from the ledger. */
export type ForgottenCodesTable = { code_id: string }

/** Written by jobs: which process may run a periodic job until when. */
export type JobLeasesTable = { name: string; holder: string; until: number }

/** Written by accounts. Failed sign-ins by lower-case e-mail address since an instant. */
export type SignInFailuresTable = { email: string; failures: number; since: number }

/** Written by Better Auth; we read it. */
export type UsersTable = {
  id: string
  email: string
  name: string
  image: string | null
  firstName: string | null
  lastName: string | null
}

export type Tables = {
  codes: CodesTable
  paths: PathsTable
  code_usage: CodeUsageTable
  subscriptions: SubscriptionsTable
  customers: CustomersTable
  checkouts: CheckoutsTable
  billing_events: BillingEventsTable
  sandbox_customers: SandboxCustomersTable
  sandbox_sessions: SandboxSessionsTable
  sandbox_subscriptions: SandboxSubscriptionsTable
  sandbox_invoices: SandboxInvoicesTable
  sandbox_events: SandboxEventsTable
  scans: ScansTable
  agents: AgentsTable
  visitors: VisitorsTable
  visitor_salts: VisitorSaltsTable
  scan_counts: ScanCountsTable
  scan_facets: ScanFacetsTable
  forgotten_codes: ForgottenCodesTable
  job_leases: JobLeasesTable
  sign_in_failures: SignInFailuresTable
  users: UsersTable
}

export type Db = Kysely<Tables>
export type Tx = Transaction<Tables>
