import type { Role } from '#contract/accounts/roles.ts'

/** The roles as people read them, each with what it lets them do. */
export const roleWords: Record<Role, { label: string; description: string }> = {
  owner: {
    label: 'Owner',
    description: 'Does everything, pays, and can hand the workspace over.',
  },
  admin: {
    label: 'Admin',
    description: 'Does everything but hand over or delete the workspace.',
  },
  editor: {
    label: 'Editor',
    description: 'Creates and changes QR codes, and can have API keys.',
  },
  viewer: {
    label: 'Viewer',
    description: 'Sees and downloads QR codes and their analytics, and changes nothing.',
  },
  billing: {
    label: 'Billing',
    description: 'Chooses the plan, pays, and sees the invoices, but no QR codes.',
  },
}
