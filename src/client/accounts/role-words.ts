import type { GivenRole } from '#contract/accounts/team.ts'

/** The rights of each role, as people read them */
export const roleWords: Record<GivenRole, string> = {
  admin: 'Can do everything except hand over or delete the workspace.',
  editor: 'Can create and change QR codes, and have API keys.',
  viewer: 'Can view and download QR codes and their analytics.',
  billing: 'Can choose the plan, pay, and see invoices. Can’t see QR codes.',
}
