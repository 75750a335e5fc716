import { hash, randomBytes } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { LinkKind } from '#contract/accounts.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/time.ts'
import type { Clock } from '../../clock.ts'
import { CLOCKS_APART_MS } from '../../clock.ts'
import type { Db, Tables } from '../../database/schema.ts'
import { count, mayCount } from '../../http/limits/counts-store.ts'
import type { Mailer } from '../../mail/mail-room.ts'
import type { Letter } from '../../mail/mail-template.ts'

/** How long a mailed link works. */
export const linkLives: Record<LinkKind, number> = {
  'reset-password': HOUR_MS,
  'sign-in': 15 * MINUTE_MS,
  'verify-email': 7 * DAY_MS,
  'approve-email': DAY_MS,
  'prove-email': DAY_MS,
}

/** A link by its meaning: for whom, and which address it was mailed to or is about. */
export type Link = { userId: string; email: string }

const TOKEN_BYTES = 32
/** Links of one kind that an account has at once: the oldest ends when there are more. */
const KEPT_EACH = 5

const hashOf = (kind: LinkKind, token: string) => hash('sha256', `${kind}:${token}`, 'base64url')

/** Makes a link's token, 256 bits. The database has only its hash. */
export async function makeToken(db: Db, kind: LinkKind, link: Link, now: Date): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const at = now.getTime()
  await db
    .insertInto('mailed_links')
    .values({
      ...{ hash: hashOf(kind, token), kind, user_id: link.userId, email: link.email },
      ...{ made_at: at, expires_at: at + linkLives[kind] },
    })
    .execute()
  const kept = db
    .selectFrom('mailed_links')
    .select('hash')
    .where('user_id', '=', link.userId)
    .where('kind', '=', kind)
    .orderBy('made_at', 'desc')
    .limit(KEPT_EACH)
  await db
    .deleteFrom('mailed_links')
    .where('user_id', '=', link.userId)
    .where('kind', '=', kind)
    .where('hash', 'not in', kept)
    .execute()
  return token
}

/**
 * The address that a mail names. The token is in the fragment, which browsers send to nobody; the
 * page takes it out of the address and posts it when somebody presses the button, so that programs
 * which only look at links use none up.
 */
export function linkUrl(publicUrl: string, kind: LinkKind, token: string): string {
  return `${publicUrl}/api/login?link=${kind}#${token}`
}

/** What a link means, without using it; undefined where it is used already, over or was never made. */
export async function readToken(
  db: Db,
  kind: LinkKind,
  token: string,
  now: Date,
): Promise<Link | undefined> {
  const row = await db
    .selectFrom('mailed_links')
    .select(['user_id', 'email', 'made_at', 'expires_at'])
    .where('hash', '=', hashOf(kind, token))
    .executeTakeFirst()
  return linkOf(row, now)
}

/** Uses a link up; undefined as for `readToken`. */
export async function useToken(
  db: Db,
  kind: LinkKind,
  token: string,
  now: Date,
): Promise<Link | undefined> {
  const row = await db
    .deleteFrom('mailed_links')
    .where('hash', '=', hashOf(kind, token))
    .returning(['user_id', 'email', 'made_at', 'expires_at'])
    .executeTakeFirst()
  return linkOf(row, now)
}

type Row = Pick<Selectable<Tables['mailed_links']>, 'user_id' | 'email' | 'made_at' | 'expires_at'>

function linkOf(row: Row | undefined, now: Date): Link | undefined {
  const at = now.getTime()
  // A link from the future was made by a clock that has gone back since: it is over.
  if (!row || row.expires_at <= at || row.made_at > at + CLOCKS_APART_MS) return undefined
  return { userId: row.user_id, email: row.email }
}

/** Ends the links of an account, all or those of some kinds, as after a change of its password. */
export async function endLinks(db: Db, userId: string, kinds?: LinkKind[]): Promise<void> {
  const own = db.deleteFrom('mailed_links').where('user_id', '=', userId)
  await (kinds ? own.where('kind', 'in', kinds) : own).execute()
}

export async function sweepLinks(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('mailed_links').where('expires_at', '<=', now.getTime()).execute()
}

export type LinkMailDeps = {
  db: Db
  clock: Clock
  mailer: Mailer
  config: { publicUrl: string }
}

const TOO_MANY_MAILS =
  'We have sent several mails to this address already. Look for them, also in your spam folder, or try again later.'

/**
 * Counts a mail with a link before it is known whether anybody gets one.
 * @throws AppError rate_limited
 */
export async function countMail(
  { db, clock }: LinkMailDeps,
  kind: LinkKind,
  email: string,
  isKnownDevice = false,
): Promise<void> {
  const who = `${kind} ${email}${isKnownDevice ? ' known device' : ''}`
  await count(db, 'mails-to', who, clock(), { message: TOO_MANY_MAILS })
}

/** As `countMail`, for mails that go with something else: false where there were too many. */
export const mayMail = ({ db, clock }: LinkMailDeps, kind: LinkKind, email: string) =>
  mayCount(db, 'mails-to', `${kind} ${email}`, clock())

/** Mails a new link. `to` is where it goes, if that is not the address that it is about. */
export async function mailLink(
  { db, clock, mailer, config }: LinkMailDeps,
  kind: LinkKind,
  { userId, email, to = email }: Link & { to?: string },
  letter: (url: string) => Letter,
): Promise<void> {
  const token = await makeToken(db, kind, { userId, email }, clock())
  const url = linkUrl(config.publicUrl, kind, token)
  await mailer.queue(db, { kind, to, letter: letter(url), lifeMs: linkLives[kind] })
  mailer.soon()
}
