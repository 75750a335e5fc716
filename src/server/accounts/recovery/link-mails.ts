import type { LinkKind } from '#contract/accounts.ts'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/schema.ts'
import { AppError } from '../../http/errors.ts'
import { count } from '../../http/limits/counts-store.ts'
import type { Mailer } from '../../mail/mail-room.ts'
import type { Letter } from '../../mail/mail-template.ts'
import { type Link, linkLives, linkUrl, makeToken } from './mailed-links.ts'

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
export async function mayMail(deps: LinkMailDeps, kind: LinkKind, email: string) {
  try {
    await countMail(deps, kind, email)
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'rate_limited') return false
    throw error
  }
}

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
