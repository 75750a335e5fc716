/*
 * Values only, as in plans.ts: the dashboard shows its list with these and need not carry Zod for it,
 * which comes with the form.
 */

export const NAME_MAX = 200
export const URL_MAX = 2048
export const VANITY_MIN = 3
export const VANITY_MAX = 50

/** How long a deleted code lies in the bin, from where it can be restored. */
export const BIN_DAYS = 30

export const PAGE_SIZE = 25
/** Most codes one answer carries. */
export const LIST_MAX = 10_000

export const codeStatuses = ['active', 'inactive', 'expired'] as const
export type CodeStatus = (typeof codeStatuses)[number]

/** Inactive when paused; Expired when active and past its end; otherwise Active. */
export function statusOf(
  code: { isActive: boolean; expiresAt: string | null },
  now: Date,
): CodeStatus {
  if (!code.isActive) return 'inactive'
  return code.expiresAt && now > new Date(code.expiresAt) ? 'expired' : 'active'
}
