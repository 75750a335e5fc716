import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/time.ts'
import type { QueueBounds } from '../queue/fair-queue.ts'
import type { PipelineBounds } from '../queue/pipelining.ts'

/*
 * All limits on what one visitor may take from the others. scripts/limits-table.ts makes docs/limits.md of
 * them: the comment before a limit says what is limited, for each of whom, and why. An address is an IPv4
 * address, or the /64 of an IPv6 address. No limit touches the redirect of a code that exists.
 */

/** `max` in a time, which begins with the first; one more is answered 429 with Retry-After. */
export type CountLimit = { max: number; windowMs: number }

/**
 * A queue with turns. One more than may wait is answered 429 (of one owner) or 503 (of all), with
 * Retry-After. Where it does not say how many may be under way at once, the processor's cores do.
 */
export type QueueLimit = Omit<QueueBounds, AtOnce> & Partial<Pick<QueueBounds, AtOnce>>
type AtOnce = 'atOnce' | 'atOnceEach'

/** Counted in the database, for all processes together. */
export const databaseLimits = {
  /** Sign-ins, for each address: guessing passwords is slow, and an office can sign in. */
  'sign-ins': { max: 30, windowMs: MINUTE_MS },
  /** Sign-ups, for each address: a script does not fill the service with accounts. */
  'sign-ups': { max: 30, windowMs: MINUTE_MS },
  /**
   * Failed sign-ins, for each e-mail address, from one address: a password cannot be guessed; a
   * browser that has signed in before counts by itself, so that strangers do not lock it out.
   */
  'failed-sign-ins': { max: 10, windowMs: 15 * MINUTE_MS },
  /**
   * Failed sign-ins from all addresses, for each e-mail address: nor do many strangers together; a
   * browser that has signed in before is not counted.
   */
  'all-failed-sign-ins': { max: 100, windowMs: HOUR_MS },
  /**
   * Requests for a mail with a link, for each address: a script does not mail many people, and an
   * office can sign in by mail.
   */
  'mailed-links': { max: 60, windowMs: HOUR_MS },
  /**
   * Mails with a link, of each kind, for each e-mail address: a mailbox cannot be filled; a browser
   * that has signed in before counts by itself.
   */
  'mails-to': { max: 5, windowMs: HOUR_MS },
  /**
   * Mails that tell what happened, of each kind, for each account: one account does not fill the
   * queue of mails by doing and undoing something.
   */
  notices: { max: 10, windowMs: HOUR_MS },
  /**
   * Mails that tell what happened, of each kind, for each e-mail address: several accounts, one
   * after another, do not fill a mailbox.
   */
  'notices-to': { max: 10, windowMs: HOUR_MS },
  /**
   * Apps that are new to us, for each address: each one is a row that lasts two hours, or a document
   * that we fetch.
   */
  'new-apps': { max: 30, windowMs: HOUR_MS },
  /** Apps that register, for each /48 of IPv6 addresses: one customer may have 65,536 of the /64. */
  'new-apps-of-site': { max: 120, windowMs: HOUR_MS },
  /** Requests of apps for access, for each address: each one is a row that lasts an hour. */
  'app-requests': { max: 60, windowMs: HOUR_MS },
  /**
   * New tokens, for each connected app: one an hour is enough, and each used one is a row that lasts a
   * month.
   */
  'app-refreshes': { max: 60, windowMs: HOUR_MS },
  /** Uses of mailed links, for each address: a new password costs a hash. */
  'link-uses': { max: 30, windowMs: MINUTE_MS },
  /** Invitations to a workspace, for each workspace: it does not mail the world. */
  invitations: { max: 100, windowMs: DAY_MS },
  /** Changes of the e-mail address, for each account: each one mails two addresses. */
  'email-changes': { max: 10, windowMs: DAY_MS },
  /**
   * Wrong passwords in the settings, for each account: a stranger at a signed-in browser cannot guess
   * the password there.
   */
  'wrong-passwords': { max: 10, windowMs: 15 * MINUTE_MS },
  /** Codes of a second step, for each address: guessing codes is as slow as guessing passwords. */
  'second-steps': { max: 30, windowMs: MINUTE_MS },
  /**
   * Wrong codes of an authenticator app, for each account: six digits are soon guessed; the
   * owner’s browsers count for themselves, and recovery codes work.
   */
  'wrong-codes': { max: 20, windowMs: DAY_MS },
  /**
   * Wrong codes while a second step is set up, for each account: a user cannot guess the code of an app that is not theirs.
   */
  'first-codes': { max: 10, windowMs: 15 * MINUTE_MS },
  /**
   * New codes and custom paths on the free plan, for each workspace: names stay reserved for ever:
   * one workspace cannot use them up, or fill its bin without end.
   */
  'free-names': { max: 100, windowMs: DAY_MS },
  /**
   * New codes and custom paths on a paid plan, for each workspace: the same, and a customer can
   * still make a thousand codes at once.
   */
  'paid-names': { max: 2_000, windowMs: DAY_MS },
  /**
   * Changes of many codes whose answer is kept for a repeated call, for each workspace: a script does
   * not fill the database with them.
   */
  'kept-answers': { max: 2_000, windowMs: DAY_MS },
  /**
   * Codes and custom paths out of files, for each workspace: twice as many as one can have
   * with a custom path each.
   */
  'imported-names': { max: 40_000, windowMs: DAY_MS },
  /**
   * Files of codes, for each workspace: each one may have ten thousand rows, which are looked at one
   * by one.
   */
  imports: { max: 100, windowMs: DAY_MS },
  /**
   * Opened forms for a new code, for each workspace: each one takes a name and gives back that of
   * the oldest draft.
   */
  drafts: { max: 3_000, windowMs: DAY_MS },
  /**
   * Opened payment pages, for each workspace: each one asks the payment provider, whose own limit
   * all workspaces share, or is a row of the sandbox.
   */
  payments: { max: 200, windowMs: DAY_MS },
  /**
   * Tests of webhooks and events sent again, for each workspace: our server cannot be made to call another one without end.
   */
  'webhook-sends': { max: 300, windowMs: HOUR_MS },
  /** Checks of domains, for each workspace: each one asks DNS servers of others. */
  'domain-checks': { max: 120, windowMs: HOUR_MS },
  /**
   * Archives of all links and data, for each workspace: each one draws every code of the workspace
   * twice.
   */
  exports: { max: 20, windowMs: DAY_MS },
} as const satisfies Record<string, CountLimit>

export type DatabaseLimit = keyof typeof databaseLimits

/** Counted with the sign-in itself, which lasts as long as the limit's time. */
export const signInLimits = {
  /** Codes of a second step, for each sign-in: then the password is asked for again. */
  codes: { max: 5, windowMs: 10 * MINUTE_MS },
} as const satisfies Record<string, CountLimit>

/** Counted in each process's memory. */
export const memoryLimits = {
  /**
   * Requests, but for scans, for each address: an office of a hundred people can open the
   * dashboard three times a minute.
   */
  'address-reads': { max: 12_000, windowMs: MINUTE_MS },
  /**
   * Requests, but for scans, for each account: a person never meets it; a script of one account
   * leaves time for the others.
   */
  'account-reads': { max: 6_000, windowMs: MINUTE_MS },
  /**
   * Calls, for each API key: twenty a second are enough for a program that makes ten thousand
   * codes; each answer says how many are left.
   */
  'key-calls': { max: 1_200, windowMs: MINUTE_MS },
  /**
   * Visits of each page to sign in, sign out or pay, for each address: these pages read and end
   * sessions.
   */
  visits: { max: 60, windowMs: MINUTE_MS },
  /**
   * Calls of each kind about payments, for each account: they ask the payment provider, which
   * limits us too.
   */
  'payment-calls': { max: 60, windowMs: MINUTE_MS },
  /**
   * Shared pages and their figures, for each address: twenty people of an office can look through
   * a page that was shared with them.
   */
  'shared-reads': { max: 1_200, windowMs: MINUTE_MS },
  /**
   * Its figures, by all who have its link, for each shared page: a link that has become public
   * does not keep the service busy.
   */
  'shared-page-reads': { max: 3_000, windowMs: MINUTE_MS },
  /**
   * Wrong passwords of codes, for each address: a password cannot be guessed, and guests of
   * one address can enter it at a time.
   */
  'code-passwords': { max: 30, windowMs: 10 * MINUTE_MS },
  /**
   * Wrong passwords from all addresses, for each code: nor do many strangers together guess it.
   */
  'code-passwords-each': { max: 100, windowMs: 10 * MINUTE_MS },
} as const satisfies Record<string, CountLimit>

/** Queues with turns, in the memory of each process. */
export const queues = {
  /**
   * Requests under way, but for scans, for each address: a thousand requests of one address wait
   * for each other, and scans pass between them.
   */
  // No limit for all addresses together, which the slow requests of a few would reach.
  site: {
    atOnce: Number.POSITIVE_INFINITY,
    atOnceEach: 8,
    waiting: 10_000,
    waitingEach: 1_000,
    startsPerTurn: 4,
  },
  /**
   * Lists and reports, for each account: a list of 10,000 codes takes longer than all else that an
   * account can ask for.
   */
  lists: { atOnce: 2, atOnceEach: 1, waiting: 1_000, waitingEach: 50 },
  /**
   * Figures that are counted from scans, for each account: one thread counts them, and a filter
   * may read millions of scans.
   */
  figures: { atOnce: 1, atOnceEach: 1, waiting: 1_000, waitingEach: 50 },
  /**
   * Figures for those who have a link, for each shared page: strangers together take at most two
   * places in the queue above.
   */
  shared: { atOnce: 2, atOnceEach: 1, waiting: 500, waitingEach: 100 },
  /**
   * Pictures and archives, for each account: pictures of one account hold up another’s by one
   * picture.
   */
  drawings: { waitingEach: 200, waiting: 1_000 },
  /** Scan checks, for each account: a check takes a tenth of a second. */
  checks: { waitingEach: 20, waiting: 200 },
  /**
   * Pictures and logos that are being sent, for each person or workspace: each one takes 5 MB of memory until
   * it is drawn.
   */
  uploads: { atOnce: 20, atOnceEach: 1, waiting: 200, waitingEach: 2 },
  /**
   * Files of codes that are being sent and read, for each workspace: each one takes 5 MB of memory
   * until it is read.
   */
  imports: { atOnce: 8, atOnceEach: 1, waiting: 100, waitingEach: 2 },
  /**
   * Pictures and logos to read, for each person or workspace: one process draws them, and one picture may take
   * it two seconds.
   */
  userPictures: { atOnce: 1, atOnceEach: 1, waiting: 50, waitingEach: 2 },
  /**
   * Archives of all links and data, for each account: a second one is useless before the first is
   * read.
   */
  // A slow reader holds up only itself: what costs something waits in the queues above.
  exports: { waitingEach: 2, waiting: 100, atOnce: Number.POSITIVE_INFINITY, atOnceEach: 1 },
  /**
   * Labels and zips of chosen codes, for each account: each one draws up to a thousand codes, or
   * the ten thousand of a file.
   */
  sheets: { waitingEach: 2, waiting: 100, atOnce: Number.POSITIVE_INFINITY, atOnceEach: 1 },
  /** Tables of single scans, for each account: each one may have millions of rows. */
  // A slow reader holds up only itself: one thread makes the pages of all, in turn.
  scanTables: { waitingEach: 2, waiting: 100, atOnce: Number.POSITIVE_INFINITY, atOnceEach: 1 },
  /** Tables of codes, for each account: each one may have ten thousand rows. */
  codeTables: { waitingEach: 2, waiting: 100, atOnce: Number.POSITIVE_INFINITY, atOnceEach: 1 },
  /**
   * Passwords to hash, for each address: a password takes a quarter of a second, and an office can
   * sign in at nine.
   */
  // Two threads, and one of them always for other addresses.
  hashing: { waitingEach: 30, waiting: 300, atOnce: 2, atOnceEach: 1 },
  /**
   * Passwords of codes to hash, for each address: visitors who try them never keep people waiting
   * who sign in.
   */
  codePasswords: { waitingEach: 30, waiting: 100, atOnce: 1, atOnceEach: 1 },
} as const satisfies Record<string, QueueLimit>

/** Open at the same time, in the memory of each process. */
export const openAtOnce = {
  /**
   * Dashboards that show scans as they come, for each person: each visible page has one; the
   * dashboards of more show new scans when they are loaded again.
   */
  'account-streams': { atOnce: 10_000, atOnceEach: 30 },
  /**
   * Dashboards that show scans as they come, for each address: a script cannot take those of an
   * office, or of all who look at the demo.
   */
  'address-streams': { atOnce: 10_000, atOnceEach: 300 },
} as const satisfies Record<string, Pick<QueueBounds, AtOnce>>

/**
 * A visitor who asks for an unknown name is never refused, because any name may be printed. One who asked
 * for many waits in a queue for the names that are not in memory. Counted in each process's memory.
 */
export const lookupLimits = {
  /**
   * Unknown names, then turns, for each address: a printed name that is gone is asked for again
   * and again, but it is one name.
   */
  counted: { max: 300, windowMs: MINUTE_MS },
  /**
   * Names looked up in turns, for each address: visitors who guess wait, and others do not; one more
   * than may wait is looked up at once.
   */
  inTurn: { atOnce: 8, atOnceEach: 4, pauseMs: 10, waiting: 10_000, waitingEach: 5_000 },
} as const satisfies Record<string, CountLimit | (QueueLimit & { pauseMs: number })>

/** Requests that a connection sends before their turn wait in order. When too many wait, we stop reading it. */
export const onConnection = {
  /**
   * Requests, scans too, for each connection: a connection can send thousands before it reads an
   * answer; none is refused.
   */
  requests: { atOnceEach: 8, waitingEach: 200 },
} as const satisfies Record<string, PipelineBounds>
