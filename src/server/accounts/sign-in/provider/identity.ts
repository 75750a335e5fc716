import { signUp } from '#contract/accounts/accounts.ts'
import { plainText } from '#contract/zod.ts'
import { ProviderFault } from './provider-fault.ts'

/** A person as the provider describes them. */
export type Identity = {
  /** The provider's own id of the person, which never changes (OpenID Connect Core §2, `sub`) */
  subject: string
  /** In lower case; undefined if the provider names none that can be used */
  email: string | undefined
  /** Whether the provider has proof that the address is theirs */
  isEmailVerified: boolean
  name: string
  firstName: string | undefined
  lastName: string | undefined
  /** The URL of their picture, unchecked */
  picture: string | undefined
}

/** A subject has at most 255 characters, in ASCII (OpenID Connect Core §2). */
const SUBJECT = /^[\x20-\x7e]{1,255}$/
const NAME_MAX = 100

type Claims = Record<string, unknown>

/**
 * The person that an id_token and the provider's other claims describe.
 * @throws ProviderFault if the provider names no subject
 */
export function identityOf(proved: Claims, more: Claims = {}): Identity {
  const claims = { ...more, ...proved, ...addressOf(proved, more) }
  const { sub } = claims
  if (typeof sub !== 'string' || !SUBJECT.test(sub)) {
    throw new ProviderFault('refused', 'the provider names no subject that can be used')
  }
  const email = signUp.shape.email.safeParse(claims.email).data?.toLowerCase()
  const firstName = nameOf(claims.given_name)
  const lastName = nameOf(claims.family_name)
  const full = [firstName, lastName].filter(Boolean).join(' ')
  return {
    subject: sub,
    email,
    // Some providers write every claim as text.
    isEmailVerified: claims.email_verified === true || claims.email_verified === 'true',
    name: nameOf(claims.name) ?? (full || (email?.split('@')[0] ?? '')),
    firstName,
    lastName,
    picture: typeof claims.picture === 'string' ? claims.picture : undefined,
  }
}

/** An address and whether it is verified, from one source, so that the proof is of this very address. */
function addressOf(proved: Claims, more: Claims): Claims {
  const isWhole = 'email' in proved && 'email_verified' in proved
  const { email, email_verified } = isWhole || !('email' in more) ? proved : more
  return { email, email_verified }
}

/** A name as we store names; undefined if it cannot be stored. */
function nameOf(claim: unknown): string | undefined {
  const name = plainText.safeParse(claim).data
  return name ? [...name].slice(0, NAME_MAX).join('').trim() : undefined
}
