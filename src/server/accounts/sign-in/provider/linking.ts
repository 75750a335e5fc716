import type { AccountRow } from '../../users-store.ts'
import type { Identity } from './identity.ts'

/** Why a person whom the provider knows does not get in. */
export type LinkRefusal =
  | 'sign-in-first'
  | 'second-step'
  | 'no-email'
  | 'closed'
  | 'taken'
  | 'other-linked'
  | 'linked-to-another'

export type SignInDecision =
  | { do: 'open'; account: AccountRow; isProof: boolean }
  | { do: 'link'; account: AccountRow }
  | { do: 'make'; email: string }
  | { do: 'refuse'; why: LinkRefusal }

type Known = {
  /** The account that the provider opens already */
  linked: AccountRow | undefined
  /** The account with the address that the provider names */
  namesake: AccountRow | undefined
  /** The person at the provider who opens that account already */
  linkedSubject: string | undefined
  /** Whether that account asks for a second step */
  isGuarded: boolean
  /** Whether this person may open an account */
  mayOpen: boolean
}

/**
 * Decides what a sign-in at the provider opens. An account is linked by its address only if both sides
 * have it verified: otherwise a stranger could have claimed it at either. If the account asks for a
 * second step, the address alone would leave that out, so its owner must link it. An account that
 * another person at the provider opens is not linked to a second one by its address.
 */
export function decideSignIn(identity: Identity, known: Known): SignInDecision {
  const { linked, namesake, linkedSubject, isGuarded, mayOpen } = known
  if (linked) return { do: 'open', account: linked, isProof: isProofFor(identity, linked) }
  if (!identity.email || !identity.isEmailVerified) return { do: 'refuse', why: 'no-email' }
  if (namesake?.emailVerified && isGuarded) return { do: 'refuse', why: 'second-step' }
  if (namesake && linkedSubject !== undefined) return { do: 'refuse', why: 'linked-to-another' }
  if (namesake?.emailVerified) return { do: 'link', account: namesake }
  if (namesake) return { do: 'refuse', why: 'sign-in-first' }
  if (!mayOpen) return { do: 'refuse', why: 'closed' }
  return { do: 'make', email: identity.email }
}

export type LinkDecision =
  | { do: 'link'; isProof: boolean }
  | { do: 'nothing' }
  | { do: 'refuse'; why: LinkRefusal }

/**
 * Decides whether the account of a user who is signed in gets the provider as a way in.
 * @param linkedSubject the person at the provider who opens the account already
 */
export function decideLink(
  identity: Identity,
  owner: AccountRow,
  { linked, linkedSubject }: { linked: AccountRow | undefined; linkedSubject: string | undefined },
): LinkDecision {
  if (linked) return linked.id === owner.id ? { do: 'nothing' } : { do: 'refuse', why: 'taken' }
  if (linkedSubject !== undefined) return { do: 'refuse', why: 'other-linked' }
  return { do: 'link', isProof: isProofFor(identity, owner) }
}

/** Whether the provider proves the account's own address for the first time. */
function isProofFor(identity: Identity, account: AccountRow): boolean {
  const isSame = identity.email === account.email.toLowerCase()
  return isSame && identity.isEmailVerified && !account.emailVerified
}
