/** Events of an account's security, which its owner sees in the settings and is mailed. */
export const securityEvents = [
  'signed-up',
  'signed-in',
  'signed-in-new-device',
  'sign-in-failed',
  'signed-out-everywhere',
  'session-ended',
  'password-changed',
  'password-reset',
  'email-verified',
  'email-change-asked',
  'email-change-undone',
  'email-changed',
  'passkey-added',
  'passkey-removed',
  'second-factor-on',
  'second-factor-off',
  'recovery-codes-made',
  'recovery-code-used',
  'provider-linked',
  'provider-unlinked',
  'deletion-asked',
  'deletion-cancelled',
  'exported',
  'page-shared',
  'page-unshared',
  'api-key-made',
  'api-key-revoked',
  'webhook-added',
  'webhook-changed',
  'webhook-removed',
  'webhook-secret-made',
] as const

/** Events that are kept for the operator: what was done to codes, plans and settings. */
export const otherEvents = [
  'code-made',
  'code-series-made',
  'code-changed',
  'code-paused',
  'code-resumed',
  'code-deleted',
  'code-restored',
  'code-revived',
  'plan-changed',
  'name-changed',
  'picture-changed',
  'notices-changed',
  'account-purged',
] as const

export type SecurityEvent = (typeof securityEvents)[number]
export type AuditEvent = SecurityEvent | (typeof otherEvents)[number]
