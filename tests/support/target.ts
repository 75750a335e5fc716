import { decisive, targetOf } from '../../src/server/codes/resolve-paths.ts'
import type { WorkspaceId } from '../../src/server/database/ids.ts'

/** Where a working code leads. */
export const targetTo = (url: string, key = 'menu') =>
  targetOf({ ...decisive, key, id: 'code', workspace_id: 'owner' as WorkspaceId, url })
