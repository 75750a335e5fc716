import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/time.ts'
import type { QueueBounds } from '../queue/fair-queue.ts'
import type { PipelineBounds } from '../queue/pipelining.ts'

/*
 * All limits on what one visitor may take from the others; scripts/limits-table.ts writes them into
 * docs/limits.md. No limit touches the redirect of a code that exists.
 */

/** The one whom a limit is for. An address is an IPv4 address, or the /64 of an IPv6 address. */
export type Per =
  | 'connection'
  | 'address'
  | 'account'
  | 'API key'
  | 'e-mail address'
  | 'e-mail address, from one address'
  | 'sign-in'
  | 'shared page'

export type Limit = { what: string; per: Per; why: string }

/** So many in a time, which begins with the first; one more is answered 429 with Retry-After. */
export type CountLimit = Limit & { max: number; windowMs: number }

/**
 * A queue with turns. One more than may wait is answered 429 (of one owner) or 503 (of all), with
 * Retry-After. Where it does not say how many may be under way at once, the processor's cores do.
 */
export type QueueLimit = Limit & Omit<QueueBounds, AtOnce> & Partial<Pick<QueueBounds, AtOnce>>
type AtOnce = 'atOnce' | 'atOnceEach'

/** DatabaseLimit in the database, for all processes together. */
export const databaseLimits = {
  'sign-ins': {
    what: 'sign-ins',
    per: 'address',
    max: 30,
    windowMs: MINUTE_MS,
    why: 'guessing passwords is slow, and an office can sign in',
  },
  'sign-ups': {
    what: 'sign-ups',
    per: 'address',
    max: 30,
    windowMs: MINUTE_MS,
    why: 'a script does not fill the service with accounts',
  },
  'failed-sign-ins': {
    what: 'failed sign-ins',
    per: 'e-mail address, from one address',
    max: 10,
    windowMs: 15 * MINUTE_MS,
    why: 'nobody guesses a password; a browser that has signed in before counts by itself, so that strangers do not lock it out',
  },
  'all-failed-sign-ins': {
    what: 'failed sign-ins from all addresses',
    per: 'e-mail address',
    max: 100,
    windowMs: HOUR_MS,
    why: 'nor do many strangers together; a browser that has signed in before is not counted',
  },
  'mailed-links': {
    what: 'requests for a mail with a link',
    per: 'address',
    max: 60,
    windowMs: HOUR_MS,
    why: 'a script does not mail many people, and an office can sign in by mail',
  },
  'mails-to': {
    what: 'mails with a link, of each kind',
    per: 'e-mail address',
    max: 5,
    windowMs: HOUR_MS,
    why: 'nobody fills a mailbox; a browser that has signed in before counts by itself',
  },
  notices: {
    what: 'mails that tell what happened, of each kind',
    per: 'account',
    max: 10,
    windowMs: HOUR_MS,
    why: 'one account does not fill the queue of mails by doing and undoing something',
  },
  'notices-to': {
    what: 'mails that tell what happened, of each kind',
    per: 'e-mail address',
    max: 10,
    windowMs: HOUR_MS,
    why: 'several accounts, one after another, do not fill a mailbox',
  },
  'link-uses': {
    what: 'uses of mailed links',
    per: 'address',
    max: 30,
    windowMs: MINUTE_MS,
    why: 'a new password costs a hash',
  },
  'email-changes': {
    what: 'changes of the e-mail address',
    per: 'account',
    max: 10,
    windowMs: DAY_MS,
    why: 'each one mails two addresses',
  },
  'wrong-passwords': {
    what: 'wrong passwords in the settings',
    per: 'account',
    max: 10,
    windowMs: 15 * MINUTE_MS,
    why: 'who finds a browser signed in cannot guess the password there',
  },
  'second-steps': {
    what: 'codes of a second step',
    per: 'address',
    max: 30,
    windowMs: MINUTE_MS,
    why: 'guessing codes is as slow as guessing passwords',
  },
  'wrong-codes': {
    what: 'wrong codes of an authenticator app',
    per: 'account',
    max: 20,
    windowMs: DAY_MS,
    why: 'six digits are soon guessed; the owner’s browsers count for themselves, and recovery codes work',
  },
  'first-codes': {
    what: 'wrong codes while a second step is set up',
    per: 'account',
    max: 10,
    windowMs: 15 * MINUTE_MS,
    why: 'nobody guesses the code of an app that is not theirs',
  },
  'free-names': {
    what: 'new codes and custom paths on the free plan',
    per: 'account',
    max: 100,
    windowMs: DAY_MS,
    why: 'names stay reserved for ever: one account cannot use them up, or fill its bin without end',
  },
  'paid-names': {
    what: 'new codes and custom paths on a paid plan',
    per: 'account',
    max: 2_000,
    windowMs: DAY_MS,
    why: 'the same, and a customer can still make a thousand codes at once',
  },
  'imported-names': {
    what: 'codes and custom paths out of files',
    per: 'account',
    max: 40_000,
    windowMs: DAY_MS,
    why: 'twice as many as an account can have with a custom path each',
  },
  imports: {
    what: 'files of codes',
    per: 'account',
    max: 100,
    windowMs: DAY_MS,
    why: 'each one may have ten thousand rows, which are looked at one by one',
  },
  drafts: {
    what: 'opened forms for a new code',
    per: 'account',
    max: 3_000,
    windowMs: DAY_MS,
    why: 'each one takes a name and gives back that of the oldest draft',
  },
  payments: {
    what: 'opened payment pages',
    per: 'account',
    max: 200,
    windowMs: DAY_MS,
    why: 'each one asks the payment provider, whose own limit all accounts share, or is a row of the sandbox',
  },
  'webhook-sends': {
    what: 'tests of webhooks and events sent again',
    per: 'account',
    max: 300,
    windowMs: HOUR_MS,
    why: 'nobody makes our server knock at another one without end',
  },
  exports: {
    what: 'archives of all links and data',
    per: 'account',
    max: 20,
    windowMs: DAY_MS,
    why: 'each one draws every code of the account twice',
  },
} as const satisfies Record<string, CountLimit>

export type DatabaseLimit = keyof typeof databaseLimits

/** Counted with the sign-in itself, which lasts so long. */
export const signInLimits = {
  codes: {
    what: 'codes of a second step',
    per: 'sign-in',
    max: 5,
    windowMs: 10 * MINUTE_MS,
    why: 'then the password is asked for again',
  },
} as const satisfies Record<string, CountLimit>

/** DatabaseLimit in each process's memory. */
export const memoryLimits = {
  'address-reads': {
    what: 'requests, but for scans',
    per: 'address',
    max: 12_000,
    windowMs: MINUTE_MS,
    why: 'an office of a hundred people can open the dashboard three times a minute',
  },
  'account-reads': {
    what: 'requests, but for scans',
    per: 'account',
    max: 6_000,
    windowMs: MINUTE_MS,
    why: 'a person never meets it; a script of one account leaves time for the others',
  },
  'key-calls': {
    what: 'calls',
    per: 'API key',
    max: 1_200,
    windowMs: MINUTE_MS,
    why: 'twenty a second are enough for a program that makes ten thousand codes; each answer says how many are left',
  },
  visits: {
    what: 'visits of each page to sign in, sign out or pay',
    per: 'address',
    max: 60,
    windowMs: MINUTE_MS,
    why: 'these pages read and end sessions',
  },
  'payment-calls': {
    what: 'calls of each kind about payments',
    per: 'account',
    max: 60,
    windowMs: MINUTE_MS,
    why: 'they ask the payment provider, which limits us too',
  },
  'shared-reads': {
    what: 'shared pages and their figures',
    per: 'address',
    max: 1_200,
    windowMs: MINUTE_MS,
    why: 'twenty people of an office can look through a page that was shared with them',
  },
  'shared-page-reads': {
    what: 'its figures, by all who have its link',
    per: 'shared page',
    max: 3_000,
    windowMs: MINUTE_MS,
    why: 'a link that has become public does not keep the service busy',
  },
} as const satisfies Record<string, CountLimit>

/** Queues with turns, in the memory of each process. */
export const queues = {
  site: {
    what: 'requests under way, but for scans',
    per: 'address',
    // No limit for all addresses together, which the slow requests of a few would reach.
    atOnce: Number.POSITIVE_INFINITY,
    atOnceEach: 8,
    waiting: 10_000,
    waitingEach: 1_000,
    startsPerTurn: 4,
    why: 'a thousand requests of one address wait for each other, and scans pass between them',
  },
  lists: {
    what: 'lists and reports',
    per: 'account',
    atOnce: 2,
    atOnceEach: 1,
    waiting: 1_000,
    waitingEach: 50,
    why: 'a list of 10,000 codes takes longer than all else that an account can ask for',
  },
  figures: {
    what: 'figures that are counted from scans',
    per: 'account',
    atOnce: 1,
    atOnceEach: 1,
    waiting: 1_000,
    waitingEach: 50,
    why: 'one thread counts them, and a filter may read millions of scans',
  },
  shared: {
    what: 'figures for those who have a link',
    per: 'shared page',
    atOnce: 2,
    atOnceEach: 1,
    waiting: 500,
    waitingEach: 100,
    why: 'strangers together take at most two places in the queue above',
  },
  drawings: {
    what: 'pictures and archives',
    per: 'account',
    waitingEach: 200,
    waiting: 1_000,
    why: 'pictures of one account hold up another’s by one picture',
  },
  checks: {
    what: 'scan checks',
    per: 'account',
    waitingEach: 20,
    waiting: 200,
    why: 'a check takes a tenth of a second',
  },
  uploads: {
    what: 'pictures and logos that are being sent',
    per: 'account',
    atOnce: 20,
    atOnceEach: 1,
    waiting: 200,
    waitingEach: 2,
    why: 'each one takes 5 MB of memory until it is drawn',
  },
  imports: {
    what: 'files of codes that are being sent and read',
    per: 'account',
    atOnce: 8,
    atOnceEach: 1,
    waiting: 100,
    waitingEach: 2,
    why: 'each one takes 5 MB of memory until it is read',
  },
  userPictures: {
    what: 'pictures and logos to read',
    per: 'account',
    atOnce: 1,
    atOnceEach: 1,
    waiting: 50,
    waitingEach: 2,
    why: 'one process draws them, and one picture may take it two seconds',
  },
  exports: {
    what: 'archives of all links and data',
    per: 'account',
    waitingEach: 2,
    waiting: 100,
    // A slow reader holds up only itself: what costs something waits in the queues above.
    atOnce: Number.POSITIVE_INFINITY,
    atOnceEach: 1,
    why: 'a second one is no use before the first is read',
  },
  sheets: {
    what: 'labels and zips of chosen codes',
    per: 'account',
    waitingEach: 2,
    waiting: 100,
    atOnce: Number.POSITIVE_INFINITY,
    atOnceEach: 1,
    why: 'each one draws up to a thousand codes, or the ten thousand of a file',
  },
  scanTables: {
    what: 'tables of single scans',
    per: 'account',
    waitingEach: 2,
    waiting: 100,
    // A slow reader holds up only itself: one thread makes the pages of all, in turn.
    atOnce: Number.POSITIVE_INFINITY,
    atOnceEach: 1,
    why: 'each one may have millions of rows',
  },
  codeTables: {
    what: 'tables of codes',
    per: 'account',
    waitingEach: 2,
    waiting: 100,
    atOnce: Number.POSITIVE_INFINITY,
    atOnceEach: 1,
    why: 'each one may have ten thousand rows',
  },
  hashing: {
    what: 'passwords to hash',
    per: 'address',
    waitingEach: 30,
    waiting: 300,
    // Two threads, and one of them always for other addresses.
    atOnce: 2,
    atOnceEach: 1,
    why: 'a password takes a quarter of a second, and an office can sign in at nine',
  },
} as const satisfies Record<string, QueueLimit>

/** Open at the same time, in the memory of each process. */
export const openAtOnce = {
  'account-streams': {
    what: 'dashboards that show scans as they come',
    per: 'account',
    atOnce: 10_000,
    atOnceEach: 30,
    why: 'each visible page has one; the dashboards of more show new scans when they are loaded again',
  },
  'address-streams': {
    what: 'dashboards that show scans as they come',
    per: 'address',
    atOnce: 10_000,
    atOnceEach: 300,
    why: 'a script cannot take those of an office, or of all who look at the demo',
  },
} as const satisfies Record<string, Limit & Pick<QueueBounds, AtOnce>>

/**
 * Nobody who looks for a name is refused, because any name may be printed. Who asked for many unknown
 * ones takes turns for the names that are not in memory. DatabaseLimit in each process's memory.
 */
export const lookupLimits = {
  counted: {
    what: 'unknown names, then turns',
    per: 'address',
    max: 300,
    windowMs: MINUTE_MS,
    why: 'a printed name that is gone is asked for again and again, but it is one name',
  },
  inTurn: {
    what: 'names looked up in turns',
    per: 'address',
    atOnce: 8,
    atOnceEach: 4,
    pauseMs: 10,
    waiting: 10_000,
    waitingEach: 5_000,
    why: 'who guesses waits, and others do not; one more than may wait is looked up at once',
  },
} as const satisfies Record<string, CountLimit | (QueueLimit & { pauseMs: number })>

/** Requests that a connection sends before their turn wait in order. When too many wait, we stop reading it. */
export const onConnection = {
  requests: {
    what: 'requests, scans too',
    per: 'connection',
    atOnceEach: 8,
    waitingEach: 200,
    why: 'a connection can send thousands before it reads an answer; none is refused',
  },
} as const satisfies Record<string, Limit & PipelineBounds>
