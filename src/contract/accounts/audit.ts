/** Events of a person's sign-in and account */
const ownSecurity = [
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
  'passkey-copied',
  'second-factor-on',
  'second-factor-off',
  'recovery-codes-made',
  'recovery-code-used',
  'provider-linked',
  'provider-unlinked',
  'deletion-asked',
  'deletion-cancelled',
] as const

/** Events that open the data of a workspace */
const openings = [
  'exported',
  'page-shared',
  'page-unshared',
  'page-share-resumed',
  'api-key-made',
  'api-key-revoked',
  'api-key-resumed',
  'app-connected',
  'app-disconnected',
  'webhook-added',
  'webhook-changed',
  'webhook-removed',
  'webhook-secret-made',
  'domain-added',
  'domain-changed',
  'domain-removed',
  'domain-restored',
] as const

/** Events of security, which the person who brought them about sees in the settings and is mailed. */
export const securityEvents = [...ownSecurity, ...openings] as const

/** Events of people's work in a workspace */
const work = [
  'code-made',
  'code-series-made',
  'code-import-made',
  'code-changed',
  'code-paused',
  'code-resumed',
  'code-deleted',
  'code-restored',
  'code-revived',
  'plan-changed',
  'contact-changed',
  'workspace-deletion-asked',
  'workspace-deletion-cancelled',
  'member-invited',
  'invitation-withdrawn',
  'member-joined',
  'member-left',
  'member-removed',
  'role-changed',
  'ownership-offered',
  'ownership-taken',
  'workspace-made',
  'workspace-changed',
  'second-step-demanded',
] as const

/** The history of a workspace: what is about a person alone is not in it. */
export const workspaceEvents = [...openings, ...work] as const

/** Events beside security, which are kept for the operator and for the history of a workspace */
export const otherEvents = [
  ...work,
  'name-changed',
  'picture-changed',
  'notices-changed',
  'account-purged',
  'workspace-purged',
] as const

export type SecurityEvent = (typeof securityEvents)[number]
export type AuditEvent = SecurityEvent | (typeof otherEvents)[number]
