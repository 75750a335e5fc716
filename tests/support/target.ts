import type { Target } from '../../src/server/codes/types.ts'
import type { WorkspaceId } from '../../src/server/database/ids.ts'

/** Where a working code leads. */
export const targetTo = (url: string, key = 'menu'): Target => ({
  key,
  id: 'code',
  ownerId: 'owner' as WorkspaceId,
  destination: { kind: 'url', url, utm: null, passesQuery: false },
  paused: false,
  expiresAt: null,
  startsAt: null,
  endsAt: null,
  fallback: null,
  isDead: false,
  passwordHash: null,
  rules: [],
  isCounted: false,
})
