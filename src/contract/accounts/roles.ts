/*
 * The roles of people in a workspace. The server asks this table at each call, and screens leave out what the
 * reader's role may not do.
 */

/** From the one who may do everything to those who may do one thing */
export const roles = ['owner', 'admin', 'editor', 'viewer', 'billing'] as const
export type Role = (typeof roles)[number]

/** The rights that a route may ask for, each with the roles that have it */
const rights = {
  /** Sees the plan and who is in the workspace */
  belong: roles,
  /** Sees codes and their figures, and downloads them */
  read: ['owner', 'admin', 'editor', 'viewer'],
  /** Makes and changes codes and what belongs to them, and has keys for programs */
  edit: ['owner', 'admin', 'editor'],
  /** Decides about members, domains and webhooks, and takes everything out */
  manage: ['owner', 'admin'],
  /** Chooses the plan and pays */
  pay: ['owner', 'admin', 'billing'],
  /** Gives the workspace away and says how members log in */
  own: ['owner'],
} as const satisfies Record<string, readonly Role[]>

export type Right = keyof typeof rights

/** Every route for those who are signed in, by what it asks for. Those under `person` are about the person alone. */
export const routesByRight = {
  person: [
    'GET /api/auth/user',
    'GET /api/account',
    'PATCH /api/account',
    'GET /api/account/history',
    'GET /api/account/picture',
    'PUT /api/account/picture',
    'DELETE /api/account/picture',
    'POST /api/account/password',
    'POST /api/account/email',
    'DELETE /api/account/email',
    'GET /api/account/sessions',
    'DELETE /api/account/sessions',
    'DELETE /api/account/sessions/:id',
    'POST /api/account/second-factor',
    'POST /api/account/second-factor/confirm',
    'POST /api/account/second-factor/off',
    'POST /api/account/recovery-codes',
    'POST /api/account/passkeys/options',
    'POST /api/account/passkeys',
    'DELETE /api/account/passkeys/:id',
    'POST /api/account/provider/link',
    'DELETE /api/account/provider',
    'POST /api/account/deletion',
    'DELETE /api/account/deletion',
    'GET /api/workspaces',
    'POST /api/workspaces',
    'POST /api/invitations/accept',
  ],
  belong: [
    'GET /api/user/subscription',
    'GET /api/user/plan-use',
    'GET /api/workspace',
    'POST /api/workspace/leave',
  ],
  read: [
    'GET /api/account/me',
    'GET /api/qr-codes',
    'GET /api/qr-codes/bin',
    'GET /api/qr-codes/export.csv',
    'POST /api/qr-codes/export.csv',
    'POST /api/qr-codes/labels',
    'POST /api/qr-codes/pictures',
    'GET /api/qr-codes/:id',
    'GET /api/qr-codes/:id/history',
    'POST /api/qr-codes/:id/try',
    'GET /api/qr-codes/:id/generate',
    'GET /api/qr-codes/:id/download-zip',
    'GET /api/qr-codes/:id/legibility',
    'GET /api/qr-codes/:id/print-proofs',
    'GET /api/logos',
    'GET /api/logos/:id',
    'GET /api/looks',
    'GET /api/tags',
    'GET /api/domains',
    'GET /api/imports',
    'GET /api/imports/template.csv',
    'GET /api/imports/:id',
    'GET /api/imports/:id/rows',
    'GET /api/imports/:id/rows.csv',
    'GET /api/imports/:id/pictures.zip',
    'GET /api/analytics/user',
    'GET /api/analytics/daily-breakdown',
    'GET /api/analytics/qr-codes',
    'GET /api/analytics/ranking',
    'GET /api/analytics/now',
    'GET /api/analytics/stream',
    'GET /api/analytics/qr-code/:id',
    'GET /api/analytics/qr-code/:id/latest',
    'GET /api/analytics/figures',
    'GET /api/analytics/breakdown',
    'GET /api/analytics/heatmap',
    'GET /api/analytics/classes',
    'GET /api/analytics/scans',
    'GET /api/analytics/scans.csv',
    'GET /api/analytics/scans.json',
    'GET /api/analytics/shares',
    'POST /api/mcp',
  ],
  edit: [
    'POST /api/qr-codes',
    'POST /api/qr-codes/draft',
    'POST /api/qr-codes/bulk',
    'PUT /api/qr-codes/external/:externalId',
    'POST /api/qr-codes/bulk/change',
    'POST /api/qr-codes/bulk/delete',
    'PATCH /api/qr-codes/:id',
    'DELETE /api/qr-codes/:id',
    'POST /api/qr-codes/:id/restore',
    'POST /api/qr-codes/:id/history/:stateId/restore',
    'POST /api/qr-codes/:id/revive',
    'POST /api/qr-codes/:id/print-proofs',
    'POST /api/logos',
    'DELETE /api/logos/:id',
    'POST /api/looks',
    'PATCH /api/looks/:id',
    'DELETE /api/looks/:id',
    'POST /api/looks/:id/apply',
    'POST /api/tags',
    'PATCH /api/tags/:id',
    'DELETE /api/tags/:id',
    'POST /api/tags/:id/codes',
    'POST /api/imports',
    'PATCH /api/imports/:id/rows/:row',
    'POST /api/imports/:id/columns',
    'POST /api/imports/:id/publish',
    'DELETE /api/imports/:id',
    'POST /api/analytics/shares',
    'DELETE /api/analytics/shares/:id',
    'POST /api/analytics/shares/:id/resume',
    'GET /api/account/keys',
    'POST /api/account/keys',
    'DELETE /api/account/keys/:id',
    'POST /api/account/keys/:id/resume',
    'GET /api/account/apps',
    'DELETE /api/account/apps/:id',
    'GET /api/connect/:uid/request',
    'POST /api/connect/:uid',
  ],
  manage: [
    'PATCH /api/workspace',
    'GET /api/workspace/history',
    'POST /api/workspace/invitations',
    'DELETE /api/workspace/invitations/:id',
    'PATCH /api/workspace/members/:memberId',
    'DELETE /api/workspace/members/:memberId',
    'GET /api/account/export',
    'GET /api/webhooks',
    'POST /api/webhooks',
    'PATCH /api/webhooks/:id',
    'DELETE /api/webhooks/:id',
    'GET /api/webhooks/:id/secret',
    'POST /api/webhooks/:id/secret',
    'POST /api/webhooks/:id/test',
    'GET /api/webhooks/:id/deliveries',
    'GET /api/webhooks/deliveries/:id',
    'POST /api/webhooks/deliveries/:id/resend',
    'POST /api/domains',
    'POST /api/domains/:id/check',
    'PATCH /api/domains/:id',
    'POST /api/domains/:id/restore',
    'DELETE /api/domains/:id',
  ],
  pay: [
    'GET /api/user/invoices',
    'POST /api/create-checkout-session',
    'POST /api/user/billing-portal',
    'POST /api/user/subscription/cancel',
    'POST /api/user/subscription/resume',
    'POST /api/user/subscription/keep',
    'GET /api/user/subscription/preview',
    'POST /api/user/subscription/refresh',
    'GET /api/checkout/:id/payment',
    'POST /api/checkout/:id/address',
    'POST /api/checkout/:id/promotion',
    'GET /api/checkout/:id/page',
    'POST /api/checkout/:id/page',
  ],
  own: [
    'GET /api/analytics/mails',
    'PUT /api/analytics/mails',
    'PUT /api/workspace/second-step',
    'POST /api/workspace/hand-over',
    'POST /api/workspace/deletion',
    'DELETE /api/workspace/deletion',
  ],
} as const satisfies Record<Right | 'person', readonly `${string} /api/${string}`[]>

export type WorkspaceRoute = (typeof routesByRight)[keyof typeof routesByRight][number]

const rightsByRoute = new Map<string, Right | 'person'>(
  Object.entries(routesByRight).flatMap(([right, routes]) =>
    routes.map((route) => [route, right as Right] as const),
  ),
)

/** The right that a route asks for; undefined for one that the table lacks */
export const rightOf = (route: string) => rightsByRoute.get(route)

export const hasRight = (role: Role, right: Right) =>
  (rights[right] as readonly Role[]).includes(role)

/** Whether a role may call a route */
export function mayCall(role: Role, route: WorkspaceRoute): boolean {
  const right = rightOf(route)
  return right === 'person' || (right !== undefined && hasRight(role, right))
}
