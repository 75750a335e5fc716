import { hash } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { LinkKind } from '#contract/accounts/accounts.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/time.ts'
import { CLOCKS_APART_MS } from '../../clock.ts'
import type { PersonId } from '../../database/ids.ts'
import { deleteWhere, keepNewest, rowsWhere } from '../../database/rows.ts'
import type { Db, Tables } from '../../database/schema.ts'
import { count, mayCount } from '../../http/limits/counts-store.ts'
import type { Letter } from '../../mail/mail-template.ts'
import type { AccountDeps } from '../account-deps.ts'
import { newToken } from '../sessions/sessions-store.ts'

/** How long a mailed link works. */
export const linkLives: Record<LinkKind, number> = {
  'reset-password': HOUR_MS,
  'sign-in': 15 * MINUTE_MS,
  'verify-email': 7 * DAY_MS,
  'approve-email': DAY_MS,
  'prove-email': DAY_MS,
}

/** The account of a link, and the address that it was mailed to or is about. */
export type Link = { userId: PersonId; email: string }

/** Links of one kind that an account can have: beyond that the oldest end. */
const LINKS_MAX = 5

const hashOf = (kind: LinkKind, token: string) => hash('sha256', `${kind}:${token}`, 'base64url')

/** Makes a link's token, 256 bits. The database has only its hash. */
export async function makeToken(db: Db, kind: LinkKind, link: Link, now: Date): Promise<string> {
  const token = newToken()
  const at = now.getTime()
  await db
    .insertInto('mailed_links')
    .values({
      hash: hashOf(kind, token),
      kind,
      user_id: link.userId,
      email: link.email,
      made_at: at,
      expires_at: at + linkLives[kind],
    })
    .execute()
  const own = { user_id: link.userId, kind }
  await keepNewest(db, 'mailed_links', own, { key: 'hash', by: ['made_at'], max: LINKS_MAX })
  return token
}

/** The link of a token, without using it; undefined if it is used up, has expired or was never made. */
export async function readToken(db: Db, kind: LinkKind, token: string, now: Date) {
  const row = await rowsWhere(db, 'mailed_links', { hash: hashOf(kind, token) }).executeTakeFirst()
  return linkOf(row, now)
}

/** Uses a link up. Returns undefined as `readToken` does. */
export async function spendToken(db: Db, kind: LinkKind, token: string, now: Date) {
  const row = await deleteWhere(db, 'mailed_links', { hash: hashOf(kind, token) })
    .returningAll()
    .executeTakeFirst()
  return linkOf(row, now)
}

function linkOf(row: Selectable<Tables['mailed_links']> | undefined, now: Date): Link | undefined {
  const at = now.getTime()
  // A link from the future was made by a clock that went back since. It counts as expired.
  if (!row || row.expires_at <= at || row.made_at > at + CLOCKS_APART_MS) return undefined
  return { userId: row.user_id, email: row.email }
}

/** Ends the links of an account, all or those of some kinds. */
export async function endLinks(db: Db, userId: PersonId, kinds?: LinkKind[]): Promise<void> {
  const own = db.deleteFrom('mailed_links').where('user_id', '=', userId)
  await (kinds ? own.where('kind', 'in', kinds) : own).execute()
}

export type LinkMailDeps = Pick<AccountDeps, 'db' | 'clock' | 'record' | 'mailer' | 'publicUrl'>

const TOO_MANY_MAILS =
  'We’ve already sent several emails to this address. Check your inbox and spam folder, or try again later.'

/** Counts a mail with a link, also if none will be sent. @throws AppError rate_limited */
export async function countMail(
  { db, clock }: LinkMailDeps,
  kind: LinkKind,
  email: string,
  isKnownDevice = false,
): Promise<void> {
  const who = `${kind} ${email}${isKnownDevice ? ' known device' : ''}`
  await count(db, 'mails-to', who, clock(), { message: TOO_MANY_MAILS })
}

/** `countMail` without an error: returns false if there were too many. */
export const mayMail = ({ db, clock }: LinkMailDeps, kind: LinkKind, email: string) =>
  mayCount(db, 'mails-to', `${kind} ${email}`, clock())

/**
 * Mails a new link. Its token is in the fragment, which browsers do not send. The page takes it out of the
 * URL and posts it when the reader presses the button, so that programs which only look at links use none up.
 * @param to where it goes, if not to the address that it is about
 */
export async function mailLink(
  { db, clock, mailer, publicUrl }: LinkMailDeps,
  kind: LinkKind,
  { userId, email, to = email }: Link & { to?: string },
  letter: (url: string) => Letter,
): Promise<void> {
  const token = await makeToken(db, kind, { userId, email }, clock())
  const url = `${publicUrl}/api/login?link=${kind}#${token}`
  await mailer.queue(db, { kind, to, letter: letter(url), lifeMs: linkLives[kind] })
  mailer.soon()
}
