import { createHmac, timingSafeEqual } from 'node:crypto'
import { noticeKinds } from '#contract/account-settings.ts'

/** Kinds of mails that end with one click: notices, and the figures that an account asked for. */
const kinds = [...noticeKinds, 'figures'] as const
export type EndingKind = (typeof kinds)[number]

/** Whose mails of which kind somebody may end without signing in. */
export type Unsubscription = { userId: string; kind: EndingKind }

/** Characters of a token that is read at all. */
const TOKEN_MAX = 300

/** The first words keep this signature apart from all others that are made with the key. */
function signatureOf(secret: string, about: string): string {
  return createHmac('sha256', secret).update(`unsubscribe ${about}`).digest('base64url')
}

/** The address that ends such mails. It works for as long as the key stays. */
export function unsubscribeUrl(
  { publicUrl, secret }: { publicUrl: string; secret: string },
  { userId, kind }: Unsubscription,
): string {
  const about = `${userId}.${kind}`
  const token = `${about}.${signatureOf(secret, about)}`
  return `${publicUrl}/api/unsubscribe?token=${encodeURIComponent(token)}`
}

/** What a token allows; undefined where we did not sign it. */
export function readUnsubscribe(secret: string, token: string): Unsubscription | undefined {
  if (token.length > TOKEN_MAX) return undefined
  const [userId = '', kind = '', signature = '', ...rest] = token.split('.')
  const given = Buffer.from(signature)
  const expected = Buffer.from(signatureOf(secret, `${userId}.${kind}`))
  if (rest.length > 0 || given.length !== expected.length) return undefined
  if (!timingSafeEqual(given, expected)) return undefined
  const known = kinds.find((name) => name === kind)
  return known && { userId, kind: known }
}
