/**
 * Why a sign-in at the provider failed: it does not answer; the user declined there; the sign-in has
 * expired or belongs to another browser; or the answer cannot be trusted.
 */
export type FaultReason = 'down' | 'denied' | 'over' | 'refused'

export class ProviderFault extends Error {
  readonly reason: FaultReason

  constructor(reason: FaultReason, message: string) {
    super(message)
    this.reason = reason
  }
}

type LibraryError = Error & { code?: string; error?: string; status?: number }

/** The provider's errors in the URL of the callback (RFC 6749 §4.1.2.1, OpenID Connect Core §3.1.2.6) */
const ANSWERED: Record<string, FaultReason> = {
  access_denied: 'denied',
  interaction_required: 'denied',
  login_required: 'denied',
  consent_required: 'denied',
  account_selection_required: 'denied',
  server_error: 'down',
  temporarily_unavailable: 'down',
}

const NO_ANSWER = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
])

/** An error of openid-client as one of ours. Its message has no code and no token in it. */
export function faultOf(error: unknown): ProviderFault {
  if (error instanceof ProviderFault) return error
  const { name, message, code, error: answer } = error as LibraryError
  const text = [name, code, answer, message].filter(Boolean).join(': ')
  return new ProviderFault(reasonOf(error as LibraryError), text)
}

function reasonOf({ name, code = '', error: answer, status = 0 }: LibraryError): FaultReason {
  if (code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR') return ANSWERED[answer ?? ''] ?? 'refused'
  // The code was used before, or is older than the provider takes.
  if (answer === 'invalid_grant') return 'over'
  // If no server listens, fetch throws a TypeError without a code.
  const isUnreachable = name === 'TypeError' && code === ''
  return isUnreachable || status >= 500 || NO_ANSWER.has(code) ? 'down' : 'refused'
}
