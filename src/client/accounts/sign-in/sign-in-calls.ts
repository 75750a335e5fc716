import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import type {
  AddressProof,
  MailedToken,
  MailTo,
  PasswordReset,
  PublicConfig,
  SecondFactorCode,
  SignIn,
  SignInAnswer,
  SignUp,
} from '#contract/accounts/accounts.ts'
import type { JoinAsNew, ShownInvitation } from '#contract/accounts/team.ts'
import { request, requestJson } from '../../api.ts'

type Joined = { workspaceId: string }

/*
 * The calls of the sign-in page. None needs a session.
 */

const post =
  <Body, Answer = SignInAnswer>(path: string) =>
  (body: Body): Promise<Answer> =>
    requestJson('POST', `/api/${path}`, body)

export const readConfig = () => requestJson<PublicConfig>('GET', '/api/config')
export const signIn = post<SignIn>('auth/sign-in/email')
export const signUp = post<SignUp>('auth/sign-up/email')
export const sendCode = post<SecondFactorCode>('auth/sign-in/second-factor')
export const signInByLink = post<MailedToken>('auth/sign-in/link/use')
export const passkeyOptions = post<void, PublicKeyCredentialRequestOptionsJSON>(
  'auth/passkey/options',
)
export const signInByPasskey = post<{ response: AuthenticationResponseJSON }>(
  'auth/sign-in/passkey',
)

const mailCalls = {
  'reset-password': '/api/auth/forgot-password',
  'verify-email': '/api/auth/verify-email/send',
  'sign-in': '/api/auth/sign-in/link',
}

/** Asks for a mail. The answer is the same for an address without an account. */
export const askForMail = (kind: keyof typeof mailCalls, body: MailTo) =>
  request('POST', mailCalls[kind], body)

const linkCalls = {
  'verify-email': '/api/auth/verify-email',
  'approve-email': '/api/auth/change-email/approve',
  'prove-email': '/api/auth/change-email/prove',
  /** By the link that could approve it */
  'undo-email': '/api/auth/change-email/undo',
}
export type LinkCall = keyof typeof linkCalls

/** Uses up a mailed link that changes something without signing in. */
export const followLink = (call: LinkCall, body: MailedToken) =>
  request('POST', linkCalls[call], body)

/** The links that ask whether the account is the reader's, too */
export type ProofKind = 'verify-email' | 'prove-email'

/** Confirms an address by its link and the account's password and signs in; undefined if it was confirmed before. */
export async function proveByPassword(
  kind: ProofKind,
  body: AddressProof,
): Promise<SignInAnswer | undefined> {
  const response = await request('POST', linkCalls[kind], body)
  return response.status === 204 ? undefined : response.json()
}

export const lookAtInvitation = post<MailedToken, ShownInvitation>('invitations/look')
export const acceptInvitation = post<MailedToken, Joined>('invitations/accept')
export const joinByInvitation = post<JoinAsNew, Joined>('invitations/join')

export const signOut = () => request('POST', '/api/auth/sign-out')

export const resetPassword = (body: PasswordReset) =>
  request('POST', '/api/auth/reset-password', body)
