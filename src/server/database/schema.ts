import type { ColumnType, Generated, Kysely, Transaction } from 'kysely'
import type { Role } from '#contract/accounts/roles.ts'
import type { Health } from '#contract/codes/health.ts'
import type { PersonId, WorkspaceId } from './ids.ts'

/*
 * Both engines have the same conventions: ids are text, instants are integer epoch milliseconds,
 * flags are 0 or 1, and absence is null. Each table has one writer, which its comment names.
 */

export type Tables = {
  /**
   * codes writes it. A draft has no `saved_at`, a code in the bin has `deleted_at`, and a paused one has
   * `paused_at`. `legibility` is the scan check's verdict on the picture that `legibility_of` names.
   * `artwork` is JSON (contract/pictures/artwork.ts). `domain` is the host of its link, and `domain_id` the claim
   * to it; null for this server's. Each change that a person makes adds 1 to `version`; scans, verdicts and plans do not.
   */
  codes: {
    id: string
    workspace_id: WorkspaceId
    name: string
    url: string
    vanity_url: string | null
    short_code: string
    style: string
    foreground_color: string
    background_color: string
    ecc: string
    compact: number
    artwork: string | null
    created_at: number
    saved_at: number | null
    paused_at: number | null
    expires_at: number | null
    deleted_at: number | null
    legibility: string | null
    legibility_of: string | null
    version: number
    domain: string | null
    domain_id: string | null
    /** The owner's own id */
    external_id: string | null
    pass_query: number
    /** The owner's first moment and end, beside the `expires_at` of the free plan */
    starts_at: number | null
    ends_at: number | null
    scan_limit: number | null
    /** A hash, as those of accounts */
    password: string | null
    fallback_url: string | null
    /** JSON, `savedRules` of contract/codes/code-rules.ts; null for none */
    rules: string | null
    checks_destination: number
    fallback_when_dead: number
    /** How the main destination is, since when, and what it answered; codes/health writes it. Null if it is not known. */
    health: Health | null
    health_since: number | null
    health_seen: string | null
    /** The person who changed it last, also by a program; null if the server did, or before 068 */
    changed_by: PersonId | null
    changed_at: number | null
  }

  /**
   * codes/health writes it: the destinations that codes use, by a digest of the address. `used_at` is the start of the
   * last walk through all codes that found it, `due_at` when it is asked next. `health` is null until it is known.
   * `fails` counts failures in a row since `failing_since`, before it is dead.
   */
  destination_checks: {
    id: string
    url: string
    host: string
    used_at: number
    due_at: number
    health: Health | null
    since: number | null
    seen: string | null
    fails: number
    failing_since: number | null
  }

  /**
   * codes writes it: the states that a code has had, numbered from 1. `state` is JSON, the kept fields of
   * contract/codes/code-history.ts. `actor` is person, key or app, null for the state before the first change, and `actor_name` the name of the last two.
   * `person_id` is who acted, also by a program.
   */
  code_states: {
    id: string
    code_id: string
    number: number
    at: number
    actor: string | null
    actor_name: string | null
    person_id: PersonId | null
    state: string
  }

  /** redirects writes it, and codes removes what is old: how many scans by persons a code has that has a limit, or rules by their number. */
  counted_scans: { code_id: string; scans: number }

  /**
   * codes/styles writes it: pictures that were drawn from what was sent. `id` is a digest of the pixels,
   * `data` those pixels, deflated to `size` bytes; `reach` is LogoPicture's.
   */
  logos: {
    workspace_id: WorkspaceId
    id: string
    name: string
    width: number
    height: number
    reach: number
    size: number
    data: Uint8Array
    created_at: number
  }

  /**
   * codes/styles writes it: looks under a name. `look` is JSON (LookFields of contract/pictures/pictures.ts). At
   * most one of an account's looks is the default.
   */
  looks: {
    id: string
    workspace_id: WorkspaceId
    name: string
    look: string
    is_default: number
    made_at: number
  }

  /** codes/tags writes it: `folded` is the name without its capitals, which an account has once. */
  tags: {
    id: string
    workspace_id: WorkspaceId
    name: string
    folded: string
    colour: string
    made_at: number
  }

  /** codes/tags writes it: which codes have a tag. It goes with the code, and with the tag. */
  code_tags: { code_id: string; tag_id: string }
  /** codes/pictures writes it: what the last photos of a code's prints showed. The rows go with their code. */
  print_proofs: { id: string; code_id: string; verdict: string; at: number }

  /**
   * codes writes it: every public name, present or former, in lower case; on a domain the id of its claim, a
   * slash and the name. A reserved one has no code.
   */
  paths: {
    key: string
    code_id: string | null
    kind: 'short' | 'custom' | 'former' | 'reserved'
    since: number
  }

  /**
   * domains writes it: a claim of an account to a host, in A-labels. The claim that proved it has it:
   * `held` is then the host, else null. `proof_at` is when DNS last had the claim's secret, `points_at` when
   * the host last led here, `failing_since` since when one of the two is gone. A removed one is held until
   * `ends_at`. `found` is JSON, what DNS said at `checked_at`; the job asks again at `check_at`.
   */
  domains: {
    id: string
    workspace_id: WorkspaceId
    host: string
    held: string | null
    secret: string
    is_default: number
    home_url: string | null
    added_at: number
    proof_at: number | null
    points_at: number | null
    failing_since: number | null
    ends_at: number | null
    checked_at: number | null
    check_at: number
    found: string | null
  }

  /** codes writes it: how many slots of its plan an account uses. */
  code_usage: { workspace_id: WorkspaceId; used: number }

  /** billing writes it. No row means the free plan; a plan without a provider is a gift of the operator. */
  subscriptions: {
    workspace_id: WorkspaceId
    provider: string | null
    subscription_id: string | null
    tier: string
    billing: string | null
    status: string
    current_period_end: number | null
    ends_at_period_end: number
    ended_at: number | null
    next_tier: string | null
    next_billing: string | null
    next_at: number | null
    updated_at: number
    /** The contract's discount as JSON */
    discount: Generated<string | null>
  }

  /**
   * billing writes it: the account's customer id at a payment provider. Each read of its subscriptions
   * gets a number when it begins; `read_applied` is the highest one that took effect. `trial_at` is when
   * the account's free trial was first seen.
   */
  customers: {
    workspace_id: WorkspaceId
    provider: string
    customer_id: string
    reads_begun: number
    read_applied: number
    reread_at: number
    trial_at: Generated<number | null>
  }

  /** billing writes it: customers of owners who have handed their workspace over, until the provider has ended them. */
  former_customers: { provider: string; customer_id: string }

  /** billing writes it: an account's one open payment. Its id makes the calls to the provider idempotent. */
  checkouts: {
    workspace_id: WorkspaceId
    id: string
    provider: string
    tier: string
    billing: string
    session_id: string | null
    url: string | null
    began_at: number
  }

  /**
   * billing writes it: what the provider has about an account's payments, for the operator and the account's
   * own export. `id` is of the object there; `amount` is in the smallest unit of its currency.
   */
  payment_records: {
    id: string
    workspace_id: WorkspaceId
    provider: string
    kind: 'payment' | 'refund' | 'dispute' | 'cancellation'
    amount: number | null
    currency: string | null
    status: string
    reason: string | null
    comment: string | null
    at: number
  }

  /** billing writes it: the provider's events that have taken effect. */
  billing_events: { id: string; at: number }

  /** billing/sandbox writes it: the customers of its test payments. */
  sandbox_customers: {
    id: string
    workspace_id: WorkspaceId
    card: 'pays' | 'asks' | 'fails_later' | null
    /** How far the customer's test clock is ahead, in ms */
    clock_offset: Generated<number>
  }

  /** billing/sandbox writes it: a visit to one of its pages. `expires_at` is by the server's clock. */
  sandbox_sessions: {
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

  /** billing/sandbox writes it. Its instants are by the customer's test clock; periods count from `anchor_at`. */
  sandbox_subscriptions: {
    id: string
    customer_id: string
    tier: string
    billing: string
    status: 'active' | 'past_due' | 'canceled'
    anchor_at: number
    period_start: number
    period_end: number
    ends_at_period_end: number
    next_tier: Generated<string | null>
    next_billing: Generated<string | null>
    created_at: number
  }

  /** billing/sandbox writes it. `serial` counts per customer; `amount` is what the card pays, in cents. */
  sandbox_invoices: {
    id: string
    customer_id: string
    serial: number
    at: number
    amount: number
    status: 'paid' | 'open' | 'uncollectible'
    tier: string | null
    billing: string | null
  }

  /** billing/sandbox writes it: the events that it has not delivered yet. */
  sandbox_events: { id: string; customer_id: string; at: number }

  /** analytics/store writes it: one row a hit. `agent` is an id of agents; `visitor` has another salt each UTC day. */
  scans: {
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
    /** Null without UTM parameters, and in scans before the mark `utm-from` */
    utm: string | null
    /** Null for the main destination, and in scans before codes had rules */
    branch: string | null
    /** The account of the code. Scans that were written before it had a column have null. */
    workspace_id: WorkspaceId | null
  }

  /** analytics/store writes it: each distinct User-Agent once. No scan of the ledger has had it for as long as `unused_since`. */
  agents: { id: number; text: string; unused_since: Generated<number | null> }

  /** analytics/store writes it: which visitor scanned which code on which UTC day, to tell first scans. A job deletes old days. */
  visitors: { day: number; code_id: string; visitor: string }

  /** analytics/record writes it: the salt of a UTC day's visitor hashes. A job deletes it after the day. */
  visitor_salts: { day: number; salt: string }

  /** analytics/store writes it: scans by quarter-hour (epoch ms / 900,000), which serves every time zone. */
  scan_counts: {
    code_id: string
    quarter: number
    persons: number
    firsts: number
    others: number
  }

  /**
   * analytics/store writes it: persons' scans by UTC day (epoch ms / 86,400,000) and facet. Of many values
   * the last share the value 'Other'.
   */
  scan_facets: {
    code_id: string
    day: number
    facet: string
    value: string
    persons: number
  }

  /** analytics/store writes it: scans by UTC month (year * 12 + month from 0), of the days that totalled_codes says. */
  scan_totals: {
    code_id: string
    month: number
    persons: number
    firsts: number
    others: number
  }

  /** analytics/store writes it: persons' scans by facet, of the days that totalled_codes says. */
  facet_totals: { code_id: string; facet: string; value: string; persons: number }

  /**
   * analytics/store writes it: the UTC days before `until` are in a code's totals. Totals of a code that
   * is not here count for nothing.
   */
  totalled_codes: { code_id: string; until: number }

  /** analytics/store writes it: how far its jobs have come. What `at` and `place` mean, each name says. */
  ledger_marks: { name: string; at: number; place: Generated<string> }

  /**
   * analytics/store writes it: purged codes, and whose they were while their scans are still somewhere.
   * `clickhouse_passes` counts how often they were removed from ClickHouse. `begun` is 0 at first, 1 while the walk through the ledger looks for them, 2 when it has ended, 3 while
   * the walk through the account's packs does, and 4 when no scan is left.
   */
  forgotten_codes: {
    code_id: string
    begun: Generated<number>
    workspace_id: Generated<WorkspaceId | null>
    clickhouse_passes: Generated<number>
  }

  /**
   * analytics/store/packs writes it: the ledger's scans again, by account and UTC day, packed by columns
   * (store/packs/pack.ts), and what they add up to (store/packs/sums.ts). `part` is the id of the first scan, `version`
   * another one each time a part changes.
   */
  scan_packs: {
    workspace_id: WorkspaceId
    day: number
    part: string
    version: number
    rows: number
    sums: Uint8Array | null
    code_sums: Uint8Array | null
    data: Uint8Array
  }

  /**
   * analytics/share writes it: who shares which code's figures until when. `hash` is of the link's token. A
   * restore sets `paused_at`, until the owner confirms the link.
   */
  shares: {
    id: string
    workspace_id: WorkspaceId
    code_id: string
    hash: string
    note: string
    made_at: number
    ends_at: number
    opened_at: number | null
    paused_at: number | null
  }

  /**
   * analytics/mails writes it: accounts that are mailed their figures, `weekly` or `monthly`. `told_until` is
   * the last day that a mail was about, such as 2026-11-22; `next_at` is when the job looks at the row.
   */
  figure_mails: {
    workspace_id: WorkspaceId
    every: string
    time_zone: string
    told_until: string
    next_at: number
  }

  /**
   * analytics/store writes it: up to where each process's journal is in the ledger. `at` is when it
   * moved there. What comes next up to `until_…` may be in ClickHouse already.
   */
  journals: {
    id: string
    segment: number
    offset: number
    at: number
    until_segment: number | null
    until_offset: number | null
  }

  /** database/service-marks writes it: notes about the whole database. */
  service_marks: { name: string; at: number; value: string }

  /** jobs writes it: which process may run a periodic job, and until when. */
  job_leases: { name: string; holder: string; until: number }

  /**
   * http/limits/counts-store writes it: how often a caller did what is limited, since an instant. A job
   * deletes what is over.
   */
  limit_counts: { name: string; who: string; since: number; count: number }

  /** http/idempotency-record writes it: what calls with an Idempotency-Key were answered. `digest` is of the call. A job deletes old ones. */
  idempotency_keys: {
    workspace_id: WorkspaceId
    key: string
    digest: string
    body: string
    at: number
  }

  /**
   * mail writes it: mails that wait to be sent. A room queues one in the transaction of its event.
   * `priority` is 0 of mails with a link, which go first, and 1 of notices.
   */
  mails: {
    id: string
    kind: string
    recipient: string
    subject: string
    text: string
    html: string
    unsubscribe: string | null
    created_at: number
    expires_at: number
    attempts: number
    next_at: number
    priority: number
  }

  /**
   * audit writes it: who did what, and the name of the key or app by which they did. The address is shortened. A job
   * deletes rows after 13 months.
   */
  audit_entries: {
    id: string
    at: number
    user_id: PersonId
    workspace_id: WorkspaceId | null
    actor: string
    event: string
    subject: string | null
    address: string | null
    device: string | null
    program: string | null
  }

  /** accounts writes it: the hashes of mailed links, each for one use. */
  mailed_links: {
    hash: string
    kind: string
    user_id: PersonId
    email: string
    made_at: number
    expires_at: number
  }

  /** accounts writes it: browsers from which a user signed in, by the hash of their cookie. */
  known_devices: { user_id: PersonId; hash: string; seen_at: number }

  /** accounts writes it: a person's picture, drawn again by us. `version` changes with it. */
  user_pictures: { user_id: PersonId; version: string; base64: string }

  /** accounts writes it. `secret` is encrypted; `last_step` is the time step of the last code that was used. */
  second_factors: {
    user_id: PersonId
    secret: string
    offered_at: number | null
    confirmed_at: number | null
    last_step: number
  }

  /** accounts writes it: hashes of the recovery codes that are left. */
  recovery_codes: { user_id: PersonId; hash: string }

  /** accounts writes it. `credential_id` and `public_key` are base64url, `transports` is a JSON array. */
  passkeys: {
    id: string
    user_id: PersonId
    credential_id: string
    public_key: string
    counter: number
    transports: string
    name: string
    added_at: number
    last_used_at: number | null
  }

  /**
   * accounts/keys writes it: the keys of programs. `start` is what a list shows; `used_at` is to the minute.
   * A restore sets `paused_at`, until the owner confirms the key.
   */
  api_keys: {
    id: string
    workspace_id: WorkspaceId
    name: string
    scope: string
    hash: string
    start: string
    made_by: PersonId | null
    made_at: number
    ends_at: number | null
    used_at: number | null
    paused_at: number | null
  }

  /**
   * accounts/connected-apps writes it: apps that a person let work with the account. `id` is the grant of
   * their tokens, `host` where the person saw them come from; `used_at` is to the minute.
   */
  connected_apps: {
    id: string
    workspace_id: WorkspaceId
    name: string
    host: string
    scope: string
    made_by: PersonId | null
    made_at: number
    used_at: number | null
  }

  /**
   * accounts/connected-apps writes it: what the authorization server keeps, by its `kind`. `id` is a hash of what
   * opens something; `app_id` is the app's. `data` is JSON, `used_at` when a code or refresh token was used. `scope`
   * and `resource` are what an access token opens.
   */
  oauth_records: {
    kind: string
    id: string
    user_id: PersonId | null
    app_id: string | null
    data: string
    ends_at: number
    used_at: number | null
    scope: string | null
    resource: string | null
  }

  /**
   * memberships writes it: what people work on together. Its owner is a member too. Each person owns one that `is_own`,
   * which may be without a plan. `name` is null until it is given one; the two texts are what visitors of paused and
   * expired codes read.
   */
  workspaces: {
    id: WorkspaceId
    owner_id: PersonId
    is_own: number
    name: string | null
    shown_name: string | null
    shown_contact: string | null
    demands_second_step: Generated<number>
    made_at: number
  }

  /** memberships writes it: who works in which workspace, and in which role */
  members: { workspace_id: WorkspaceId; person_id: PersonId; role: Role; since: number }

  /**
   * team writes it: people who are invited, by their address in lower case; the role owner is of one who is to take the
   * workspace over. `hash` is of the link's token, `is_shown` whether the inviter saw it.
   */
  invitations: {
    id: string
    workspace_id: WorkspaceId
    email: string
    role: Role
    hash: string
    invited_by: PersonId
    is_shown: number
    made_at: number
    ends_at: number
  }

  /** accounts writes it: challenges of sign-ins that were answered, until they would be over anyway. */
  used_challenges: { id: string; expires_at: number }

  /** accounts writes it: the id_token of a session that began at the provider. It goes with its session. */
  provider_sessions: { session_id: string; id_token: string }

  /**
   * accounts writes it: accounts that are to be purged. `plan_stopped_at` is when the payment provider
   * knew; from `purge_began_at` on nothing can be restored. `pseudonym` takes the account's place in the audit.
   */
  deletions: {
    /** The id of the account or of the workspace */
    id: string
    user_id: PersonId | null
    workspace_id: WorkspaceId | null
    due_at: number
    plan_stopped_at: number | null
    warned_at: number | null
    purge_began_at: number | null
    pseudonym: PersonId | null
  }

  /** accounts writes it: mails to a user that are not about security, and receipts, each sent once. */
  notices: { user_id: PersonId; kind: string; about: string; sent_at: number }

  /**
   * accounts writes it. `notices_off` is a list with commas; `deletion_at` is when the account is purged.
   * Here and in the two tables below an instant is ISO 8601 on SQLite, and a timestamp on PostgreSQL, which
   * takes ISO 8601 too.
   */
  users: {
    id: PersonId
    email: string
    name: string
    image: string | null
    firstName: string | null
    lastName: string | null
    emailVerified: number | boolean
    createdAt: ColumnType<unknown, string, never>
    updatedAt: ColumnType<unknown, string, string>
    time_zone: string | null
    notices_off: string | null
    /** The first language of the browser that signed in last, as Intl names it */
    locale: string | null
    must_verify: number | null
    pending_email: string | null
    /** The answer of one of the two addresses to the change so far */
    pending_step: 'approved' | 'proved' | null
    pending_until: number | null
    deletion_at: number | null
  }

  /** accounts writes it: how an account signs in. `providerId` is `credential` or the provider’s issuer. */
  accounts: {
    id: string
    userId: PersonId
    providerId: string
    accountId: string
    password: string | null
    createdAt: ColumnType<unknown, string, never>
    updatedAt: ColumnType<unknown, string, string>
  }

  /**
   * accounts writes it: who is signed in where. `token` is the hash of what the browser has; `proved_at` when its
   * owner last proved there that it is them.
   */
  sessions: {
    id: string
    userId: PersonId
    token: string
    createdAt: ColumnType<unknown, string, never>
    updatedAt: ColumnType<unknown, string, string>
    expiresAt: ColumnType<unknown, string, string>
    ipAddress: string | null
    userAgent: string | null
    proved_at: number | null
  }

  /**
   * webhooks writes it: an address that gets an account's events. `types` is a list with commas. Its
   * secret is made from the server's and `secret_no`; the one before counts until `former_until`. `fails`
   * counts batches in a row of which nothing arrived, since `failing_since`; the next one is sent after
   * `rest_until`. Scans with ids before `scans_from` are not sent. Something is to be sent from `due_at` on,
   * which is the end of a lease while a process sends.
   */
  webhook_endpoints: {
    id: string
    workspace_id: WorkspaceId
    url: string
    types: string
    secret_no: number
    former_until: number | null
    made_at: number
    off_since: number | null
    off_why: 'owner' | 'failing' | 'gone' | null
    fails: number
    failing_since: number | null
    rest_until: number | null
    scans_from: string
    due_at: number | null
  }

  /** webhooks writes it: what happened, as it is sent. `payload` is the whole body, JSON. */
  webhook_events: {
    seq: Generated<number>
    id: string
    workspace_id: WorkspaceId
    type: string
    at: number
    payload: string
  }

  /**
   * webhooks writes it: an event on its way to an endpoint. `line` is the event's type. It is sent at
   * `next_at`, which is the end of a lease while a process sends it. `tried_at` is of the last attempt.
   */
  webhook_deliveries: {
    seq: Generated<number>
    endpoint_id: string
    event_seq: number
    line: string
    state: 'waiting' | 'delivered' | 'failed' | 'dropped'
    attempts: number
    next_at: number
    tried_at: number | null
    answer_status: number | null
    answer_text: string | null
    took_ms: number | null
  }

  /** webhooks writes it: how far its jobs have come, in the ledger and in time. */
  webhook_marks: { name: string; at: number; place: string }

  /**
   * codes/imports writes it: a file of codes. `reading` until its rows are there; `abandoned` ones are swept.
   * `columns`, `wanted` (how it is to be published) and `fault` are JSON. One process at a time has it:
   * `holder`, until `held_until`. `done` rows are ready, and `told` codes are announced to other rooms. The codes
   * have their links on `domain`, by its claim `domain_id`; null for this server's.
   */
  imports: {
    id: string
    workspace_id: WorkspaceId
    name: string
    format: string
    encoding: string
    domain: string | null
    domain_id: string | null
    state: 'reading' | 'checked' | 'publishing' | 'published' | 'abandoned'
    columns: string
    rows: number
    problems: number
    lost_paths: number
    losses: number
    done: number
    told: number
    wanted: string | null
    fault: string | null
    made_by: PersonId | null
    made_at: number
    published_at: number | null
    holder: string | null
    held_until: number | null
  }

  /**
   * codes/imports writes it: a row of such a file, `n` from 0. `row` is its number in a spreadsheet. `cells`,
   * its texts as they are in the file, `tags`, `kept`, `problems` and `losses` are JSON. The code has its id from here.
   */
  import_rows: {
    import_id: string
    n: number
    row: number
    name: string
    url: string
    path: string | null
    tags: string
    created_at: number | null
    problems: string | null
    lost_path: string | null
    losses: string | null
    cells: string
    kept: string | null
    code_id: string
  }

  /**
   * accounts writes it: sign-ins whose first step is done, by the hash of what the browser has. `method` is
   * that step, `state` what is still needed, and `attempts` counts the tries at it.
   */
  sign_ins: {
    hash: string
    user_id: PersonId
    method: 'password' | 'link'
    state: 'second-factor'
    attempts: number
    expires_at: number
  }
}

export type Db = Kysely<Tables>
export type Tx = Transaction<Tables>
