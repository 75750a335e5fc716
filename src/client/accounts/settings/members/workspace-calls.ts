import type { Workspace, WorkspaceChange } from '#contract/accounts/team.ts'
import { requestJson } from '../../../api.ts'

export const WORKSPACE = '/api/workspace'

export const saveWorkspace = (body: WorkspaceChange) =>
  requestJson<Workspace>('PATCH', WORKSPACE, body)
