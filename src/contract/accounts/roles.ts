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

/** The right that each route for those who are signed in asks for; `person` for what is about the person alone */
export const rightsByPath = {
  '/api/account': { GET: 'person', PATCH: 'person' },
  '/api/account/apps': { GET: 'edit' },
  '/api/account/apps/:id': { DELETE: 'edit' },
  '/api/account/deletion': { POST: 'person', DELETE: 'person' },
  '/api/account/email': { POST: 'person', DELETE: 'person' },
  '/api/account/export': { GET: 'manage' },
  '/api/account/history': { GET: 'person' },
  '/api/account/keys': { GET: 'edit', POST: 'edit' },
  '/api/account/keys/:id': { DELETE: 'edit' },
  '/api/account/keys/:id/resume': { POST: 'edit' },
  '/api/account/me': { GET: 'read' },
  '/api/account/passkeys': { POST: 'person' },
  '/api/account/passkeys/:id': { DELETE: 'person' },
  '/api/account/passkeys/options': { POST: 'person' },
  '/api/account/password': { POST: 'person' },
  '/api/account/picture': { GET: 'person', PUT: 'person', DELETE: 'person' },
  '/api/account/provider': { DELETE: 'person' },
  '/api/account/provider/link': { POST: 'person' },
  '/api/account/recovery-codes': { POST: 'person' },
  '/api/account/second-factor': { POST: 'person' },
  '/api/account/second-factor/confirm': { POST: 'person' },
  '/api/account/second-factor/off': { POST: 'person' },
  '/api/account/sessions': { GET: 'person', DELETE: 'person' },
  '/api/account/sessions/:id': { DELETE: 'person' },
  '/api/analytics/breakdown': { GET: 'read' },
  '/api/analytics/classes': { GET: 'read' },
  '/api/analytics/daily-breakdown': { GET: 'read' },
  '/api/analytics/figures': { GET: 'read' },
  '/api/analytics/heatmap': { GET: 'read' },
  '/api/analytics/mails': { GET: 'own', PUT: 'own' },
  '/api/analytics/now': { GET: 'read' },
  '/api/analytics/qr-code/:id': { GET: 'read' },
  '/api/analytics/qr-code/:id/latest': { GET: 'read' },
  '/api/analytics/qr-codes': { GET: 'read' },
  '/api/analytics/ranking': { GET: 'read' },
  '/api/analytics/scans': { GET: 'read' },
  '/api/analytics/scans.csv': { GET: 'read' },
  '/api/analytics/scans.json': { GET: 'read' },
  '/api/analytics/shares': { GET: 'read', POST: 'edit' },
  '/api/analytics/shares/:id': { DELETE: 'edit' },
  '/api/analytics/shares/:id/resume': { POST: 'edit' },
  '/api/analytics/stream': { GET: 'read' },
  '/api/analytics/user': { GET: 'read' },
  '/api/auth/user': { GET: 'person' },
  '/api/checkout/:id/address': { POST: 'pay' },
  '/api/checkout/:id/page': { GET: 'pay', POST: 'pay' },
  '/api/checkout/:id/payment': { GET: 'pay' },
  '/api/checkout/:id/promotion': { POST: 'pay' },
  '/api/connect/:uid': { POST: 'edit' },
  '/api/connect/:uid/request': { GET: 'edit' },
  '/api/create-checkout-session': { POST: 'pay' },
  '/api/domains': { GET: 'read', POST: 'manage' },
  '/api/domains/:id': { PATCH: 'manage', DELETE: 'manage' },
  '/api/domains/:id/check': { POST: 'manage' },
  '/api/domains/:id/restore': { POST: 'manage' },
  '/api/imports': { GET: 'read', POST: 'edit' },
  '/api/imports/:id': { GET: 'read', DELETE: 'edit' },
  '/api/imports/:id/columns': { POST: 'edit' },
  '/api/imports/:id/pictures.zip': { GET: 'read' },
  '/api/imports/:id/publish': { POST: 'edit' },
  '/api/imports/:id/rows': { GET: 'read' },
  '/api/imports/:id/rows.csv': { GET: 'read' },
  '/api/imports/:id/rows/:row': { PATCH: 'edit' },
  '/api/imports/template.csv': { GET: 'read' },
  '/api/invitations/accept': { POST: 'person' },
  '/api/logos': { GET: 'read', POST: 'edit' },
  '/api/logos/:id': { GET: 'read', DELETE: 'edit' },
  '/api/looks': { GET: 'read', POST: 'edit' },
  '/api/looks/:id': { PATCH: 'edit', DELETE: 'edit' },
  '/api/looks/:id/apply': { POST: 'edit' },
  '/api/mcp': { POST: 'read' },
  '/api/qr-codes': { GET: 'read', POST: 'edit' },
  '/api/qr-codes/:id': { GET: 'read', PATCH: 'edit', DELETE: 'edit' },
  '/api/qr-codes/:id/download-zip': { GET: 'read' },
  '/api/qr-codes/:id/generate': { GET: 'read' },
  '/api/qr-codes/:id/history': { GET: 'read' },
  '/api/qr-codes/:id/history/:stateId/restore': { POST: 'edit' },
  '/api/qr-codes/:id/legibility': { GET: 'read' },
  '/api/qr-codes/:id/print-proofs': { GET: 'read', POST: 'edit' },
  '/api/qr-codes/:id/restore': { POST: 'edit' },
  '/api/qr-codes/:id/revive': { POST: 'edit' },
  '/api/qr-codes/:id/try': { POST: 'read' },
  '/api/qr-codes/bin': { GET: 'read' },
  '/api/qr-codes/bulk': { POST: 'edit' },
  '/api/qr-codes/bulk/change': { POST: 'edit' },
  '/api/qr-codes/bulk/delete': { POST: 'edit' },
  '/api/qr-codes/draft': { POST: 'edit' },
  '/api/qr-codes/export.csv': { GET: 'read', POST: 'read' },
  '/api/qr-codes/external/:externalId': { PUT: 'edit' },
  '/api/qr-codes/labels': { POST: 'read' },
  '/api/qr-codes/pictures': { POST: 'read' },
  '/api/tags': { GET: 'read', POST: 'edit' },
  '/api/tags/:id': { PATCH: 'edit', DELETE: 'edit' },
  '/api/tags/:id/codes': { POST: 'edit' },
  '/api/user/billing-portal': { POST: 'pay' },
  '/api/user/invoices': { GET: 'pay' },
  '/api/user/plan-use': { GET: 'belong' },
  '/api/user/subscription': { GET: 'belong' },
  '/api/user/subscription/cancel': { POST: 'pay' },
  '/api/user/subscription/keep': { POST: 'pay' },
  '/api/user/subscription/preview': { GET: 'pay' },
  '/api/user/subscription/refresh': { POST: 'pay' },
  '/api/user/subscription/resume': { POST: 'pay' },
  '/api/webhooks': { GET: 'manage', POST: 'manage' },
  '/api/webhooks/:id': { PATCH: 'manage', DELETE: 'manage' },
  '/api/webhooks/:id/deliveries': { GET: 'manage' },
  '/api/webhooks/:id/secret': { GET: 'manage', POST: 'manage' },
  '/api/webhooks/:id/test': { POST: 'manage' },
  '/api/webhooks/deliveries/:id': { GET: 'manage' },
  '/api/webhooks/deliveries/:id/resend': { POST: 'manage' },
  '/api/workspace': { GET: 'belong', PATCH: 'manage' },
  '/api/workspace/deletion': { POST: 'own', DELETE: 'own' },
  '/api/workspace/hand-over': { POST: 'own' },
  '/api/workspace/history': { GET: 'manage' },
  '/api/workspace/invitations': { POST: 'manage' },
  '/api/workspace/invitations/:id': { DELETE: 'manage' },
  '/api/workspace/leave': { POST: 'belong' },
  '/api/workspace/members/:memberId': { PATCH: 'manage', DELETE: 'manage' },
  '/api/workspace/second-step': { PUT: 'own' },
  '/api/workspaces': { POST: 'person' },
} as const satisfies Record<`/api/${string}`, Partial<Record<Method, Right | 'person'>>>

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Paths = typeof rightsByPath
export type WorkspaceRoute = {
  [Path in keyof Paths]: `${keyof Paths[Path] & Method} ${Path}`
}[keyof Paths]

/** The right that a route asks for; undefined for one that the table lacks */
export function rightOf(route: string): Right | 'person' | undefined {
  const [method = '', path = ''] = route.split(' ')
  const rights: Record<string, Record<string, Right | 'person'>> = rightsByPath
  return rights[path]?.[method]
}

export const hasRight = (role: Role, right: Right) =>
  (rights[right] as readonly Role[]).includes(role)

/** Whether a right is the owner's alone while the workspace has more people than its plan has room for */
export const needsRoom = (right: Right | 'person' | undefined) =>
  right === 'edit' || right === 'manage'

/** Whether a role may call a route */
export function mayCall(role: Role, route: WorkspaceRoute): boolean {
  const right = rightOf(route)
  return right === 'person' || (right !== undefined && hasRight(role, right))
}
