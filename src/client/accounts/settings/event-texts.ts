import type { SecurityEvent } from '#contract/audit.ts'

/** What happened, as its line in the history says it. */
export const eventText: Record<SecurityEvent, string> = {
  'signed-up': 'Account created',
  'signed-in': 'Signed in',
  'signed-in-new-device': 'Signed in from a new device',
  'sign-in-failed': 'A sign-in failed',
  'signed-out-everywhere': 'Signed out everywhere',
  'session-ended': 'Session ended',
  'password-changed': 'Password changed',
  'password-reset': 'Password reset by a mailed link',
  'email-verified': 'E-mail address confirmed',
  'email-change-asked': 'Change of the e-mail address requested',
  'email-change-undone': 'Change of the e-mail address cancelled',
  'email-changed': 'E-mail address changed',
  'passkey-added': 'Passkey added',
  'passkey-removed': 'Passkey removed',
  'second-factor-on': 'Second step turned on',
  'second-factor-off': 'Second step turned off',
  'recovery-codes-made': 'Recovery codes made',
  'recovery-code-used': 'Recovery code used',
  'provider-linked': 'Sign-in service linked',
  'provider-unlinked': 'Sign-in service unlinked',
  'deletion-asked': 'Deletion of the account requested',
  'deletion-cancelled': 'Account restored',
  exported: 'Links and data downloaded',
}
